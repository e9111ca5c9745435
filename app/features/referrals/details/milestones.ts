import { SENT } from "~/features/delivery/delivery-status";
import { CLOSED } from "~/features/referrals/model/status";
import { twoDigits } from "~/text/numbers";

interface Course {
  /** ISO 8601 */
  createdAt: string;
  status: number;
  /** ISO 8601; null if the reader may not know. */
  statusSince: string | null;
  plan: { date: string | null; hour: number | null; minute: number | null };
  sections: { callUps: { status: number; sentAt: string | null }[] };
}

export interface Milestone {
  label: string;
  /** ISO 8601 moment, or a day if the hour is unknown. */
  at: string;
  /** E.g. 'kl. 09.00'. */
  time?: string;
}

/** Past and expected events of a referral in order. */
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
