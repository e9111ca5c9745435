import { useLoaderData, useLocation, useParams, useRouteLoaderData, useSearchParams } from "@remix-run/react";
import type { SerializeFrom } from "@remix-run/node";
import type { SmsVisit } from "~/features/sms-threads/read-visit.server";
import { paths } from "~/paths";
import { presentSms } from "./present";
import type { loader } from "./route";

/** What an address of the page may change of the one that is shown; `visit` is the open one. */
export type SmsPageChange = Partial<
  Record<"f" | "sort" | "fra" | "log", string | null> & Record<"page" | "visit", number | null>
>;

/** The list as it stands, with the open visit as it was read last, and the addresses around it. */
export function useSmsPage() {
  const { visitId } = useParams();
  const { pathname } = useLocation();
  const openId = visitId === undefined ? null : Number(visitId);
  const opened = useRouteLoaderData<SerializeFrom<SmsVisit>>("routes/management.sms.$visitId");
  const list = presentSms(useLoaderData<typeof loader>(), opened?.visit ?? null);
  const isLogOpen = useSearchParams()[0].get("log") === "1";
  const here = ({ visit = openId, ...change }: SmsPageChange) => {
    const { f, sort, page, start: fra } = list;
    const next = { f, sort, page, fra, log: isLogOpen ? "1" : null, ...change };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${visit === null ? paths.sms : paths.smsVisit(visit)}?${new URLSearchParams(entries).toString()}`;
  };
  return { list, openId, isLogOpen, here, showsUnplaced: pathname === paths.smsUnplaced };
}
