import { SENT } from "~/features/delivery/delivery-status";
import { CLOSED } from "~/features/referrals/model/status";
import { twoDigits } from "~/text/numbers";

interface Course {
  /** ISO 8601 */
  createdAt: string;
  /** As its reader sees it. */
  status: number;
  /** ISO 8601; since when it has this status, where the reader may know. */
  statusSince: string | null;
  plan: { date: string | null; hour: number | null; minute: number | null };
  sections: { callUps: { status: number; sentAt: string | null }[] };
}

export interface Milestone {
  label: string;
  /** An ISO moment, or an ISO day where no hour is known. */
  at: string;
  /** Of a day: 'kl. 09.00'. */
  time?: string;
}

/** What has happened to a referral, and what is to happen, in the order of a referral's course: what its referrer asks first. */
export function milestonesOf({ createdAt, status, statusSince, plan, sections }: Course): Milestone[] {
  const calledUp = sections.callUps
    .flatMap((callUp) => (callUp.status === SENT && callUp.sentAt ? [callUp.sentAt] : []))
    .reduce<string | null>((latest, at) => (latest === null || at > latest ? at : latest), null);
  return [
    { label: "Modtaget", at: createdAt },
    ...(calledUp ? [{ label: "Indkaldt", at: calledUp }] : []),
    ...(plan.date
      ? [
          {
            label: "Behandling",
            at: plan.date,
            ...(plan.hour === null ? {} : { time: `kl. ${twoDigits(plan.hour)}.${twoDigits(plan.minute)}` }),
          },
        ]
      : []),
    ...(status === CLOSED && statusSince ? [{ label: "Afsluttet", at: statusSince }] : []),
  ];
}
