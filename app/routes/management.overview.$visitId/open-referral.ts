import { useRouteLoaderData } from "@remix-run/react";
import type { presentReferral } from "./present";
import type { ListAround, OverviewList } from "~/components/overview-list/overview-list";

export type OpenReferral = ReturnType<typeof presentReferral>;

export const useListAround = () =>
  (useRouteLoaderData("routes/management.overview") as ListAround | null | undefined) ?? null;

export const useList = () => useListAround() as OverviewList | null;
