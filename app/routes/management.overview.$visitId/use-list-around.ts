import { useRouteLoaderData } from "@remix-run/react";
import type { ListAround, OverviewList } from "~/components/overview-list/overview-list";

/** The list the referral was opened from; null without one. */
export const useListAround = () =>
  (useRouteLoaderData("routes/management.overview") as ListAround | null | undefined) ?? null;

/** The same with rows, except in the image viewer. */
export const useList = () => useListAround() as OverviewList | null;
