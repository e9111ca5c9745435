import { useRouteLoaderData } from "@remix-run/react";
import type { OverviewList } from "~/components/overview-list/overview-list";

/** The list that the referral was opened from; null where it stands alone. */
export const useListAround = () =>
  (useRouteLoaderData("routes/management.overview") as OverviewList | null | undefined) ?? null;
