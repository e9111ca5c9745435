import { useLoaderData, useLocation, useParams, useRouteLoaderData, useSearchParams } from "@remix-run/react";
import type { SerializeFrom } from "@remix-run/node";
import type { SmsReferral } from "~/features/sms-threads/operations.server";
import { paths } from "~/paths";
import { presentSms } from "./present";
import type { loader } from "./route";

/** Changes to the page's address; `openId` is the open referral. */
export type SmsPageChange = Partial<
  Record<"f" | "sort" | "fra" | "log", string | null> & Record<"page" | "openId", number | null>
>;

/** The list with the newest state of the open referral, and its addresses. */
export function useSmsPage() {
  const { visitId } = useParams();
  const { pathname } = useLocation();
  const openNow = visitId === undefined ? null : Number(visitId);
  const opened = useRouteLoaderData<SerializeFrom<SmsReferral>>("routes/management.sms.$visitId");
  const list = presentSms(useLoaderData<typeof loader>(), opened?.referral ?? null);
  const isLogOpen = useSearchParams()[0].get("log") === "1";
  const here = ({ openId = openNow, ...change }: SmsPageChange) => {
    const { f, sort, page, start: fra } = list;
    const next = { f, sort, page, fra, log: isLogOpen ? "1" : null, ...change };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${openId === null ? paths.sms : paths.smsThread(openId)}?${new URLSearchParams(entries).toString()}`;
  };
  return { list, openId: openNow, isLogOpen, here, showsUnplaced: pathname === paths.smsUnplaced };
}
