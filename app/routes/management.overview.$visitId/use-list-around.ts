import { useRouteLoaderData } from "@remix-run/react";
import type { ListAround, OverviewList } from "~/components/overview-list/overview-list";

export const useListAround = () =>
  (useRouteLoaderData("routes/management.overview") as ListAround | null | undefined) ?? null;

export const useList = () => useListAround() as OverviewList | null;
