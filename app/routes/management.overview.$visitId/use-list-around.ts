import { useRouteLoaderData } from "@remix-run/react";
import type { ListAround, OverviewList } from "~/components/overview-list/overview-list";

/** The list that the referral was opened from; null where it stands alone. */
export const useListAround = () =>
  (useRouteLoaderData("routes/management.overview") as ListAround | null | undefined) ?? null;

/** The same list with its rows as they are shown: on every page but the image viewer, which shows none of them. */
export const useList = () => useListAround() as OverviewList | null;
