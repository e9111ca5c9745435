import { differenceInCalendarDays, parseISO } from "date-fns";
import { NO_NEXT_DATE } from "~/features/referrals/model/status";
import {
  AFTER_TRIAGE,
  CALLED_UP,
  CALLED_UP_AGAIN,
  CANCELLED_BY_SMS,
  DECLINED,
  ENDED,
  NOT_REACHED,
} from "~/features/referrals/model/statuses";
import { addDays, mondayOf } from "~/text/calendar";
import { localDate } from "~/text/dates";

export type Measure =
  | "sent"
  | "sentBy"
  | "urgency"
  | "operation"
  | "open"
  | "stopped"
  | "message"
  | "toTriage"
  | "toCallUp"
  | "toOperation"
  | "silence"
  | "material";

export interface Entry {
  measure: Measure;
  day: string;
  bucket: string;
  referrerId: number;
  clinicId: number;
  treatmentTypeId: number;
}

export interface CountedReferral {
  sentAt: string;
  urgency: number;
  referrerId: number | null;
  clinicId: number | null;
  treatmentTypeId: number | null;
  status: number;
  statusSince: string;
  operationDate: string | null;
  isCancelled: boolean;
  lines: { date: string; treatmentTypeId: number | null; isCancelled: boolean }[];
  log: { at: string; status: number }[];
  cancellations: string[];
  messages: { channel: string; outcome: string; code: number; at: string }[];
  nextDueOn: string;
  /** In order of time; the last one may be open. */
  silences: { from: string; until: string | null }[];
  material: { kind: string; at: string }[];
}

const WITHOUT_COMING_TIME = [CANCELLED_BY_SMS, DECLINED];

const NOT_REGISTERED = 4;

const dayOf = (moment: string) => localDate(new Date(moment));

const event = (measure: Measure, day: string, bucket = ""): Entry => ({
  measure,
  day,
  bucket,
  referrerId: 0,
  clinicId: 0,
  treatmentTypeId: 0,
});

export function contributionOf(referral: CountedReferral): Entry[] {
  const { urgency, status } = referral;
  const sentDay = dayOf(referral.sentAt);
  const sides = { referrerId: referral.referrerId ?? 0, clinicId: referral.clinicId ?? 0 };
  const ofType = (measure: Measure, day: string, typeId: number | null): Entry => ({
    ...event(measure, day),
    ...sides,
    treatmentTypeId: typeId ?? 0,
  });
  const operations = operationsOf(referral);
  const timeline = statusByDay(referral);
  const firstDayIn = (statuses: readonly number[]) => timeline.find((each) => statuses.includes(each.status))?.day;
  const duration = (measure: Measure, day: string | undefined) =>
    day === undefined || day < sentDay
      ? []
      : [event(measure, day, `${urgency}:${differenceInCalendarDays(parseISO(day), parseISO(sentDay))}`)];
  return [
    ofType("sent", sentDay, referral.treatmentTypeId),
    { ...event("sentBy", sentDay), referrerId: sides.referrerId },
    event("urgency", sentDay, String(urgency)),
    ...operations.map(({ date, treatmentTypeId }) => ofType("operation", date, treatmentTypeId)),
    ...(ENDED.includes(status) ? [] : [event("open", dayOf(referral.statusSince), String(status))]),
    ...referral.cancellations.map((at) => event("stopped", dayOf(at), "cancelled")),
    ...timeline
      .filter((each, index) => each.status === NOT_REACHED && timeline[index - 1]?.status !== NOT_REACHED)
      .map(({ day }) => event("stopped", day, "notReached")),
    ...referral.messages.map((message) =>
      event("message", dayOf(message.at), `${message.channel}:${outcomeOf(message)}`),
    ),
    ...duration("toTriage", firstDayIn(AFTER_TRIAGE)),
    ...duration("toCallUp", firstDayIn([CALLED_UP, CALLED_UP_AGAIN])),
    ...duration("toOperation", operations.map(({ date }) => date).sort()[0]),
    ...silenceOf(referral),
    ...referral.material.map(({ kind, at }) => ({
      ...event("material", dayOf(at), kind),
      clinicId: sides.clinicId,
    })),
  ];
}

/**
 * First days of silences (`began`) and the days on which they were over (`ended`). The last silence is entered before
 * it begins: every change until then computes this anew. `again` marks a beginning in a week that had seen the referral
 * silent, so that the week counts it once.
 */
function silenceOf({ silences, nextDueOn }: CountedReferral): Entry[] {
  const isOpen = silences.some(({ until }) => until === null);
  const coming = isOpen || nextDueOn === NO_NEXT_DATE ? [] : [{ from: addDays(nextDueOn, 1), until: null }];
  const all = [...silences, ...coming];
  return all.flatMap(({ from, until }, index) => {
    const before = all[index - 1]?.until ?? null;
    return [
      event("silence", from, "began"),
      ...(before !== null && before > mondayOf(from) ? [event("silence", from, "again")] : []),
      ...(until === null ? [] : [event("silence", until, "ended")]),
    ];
  });
}

/** Standing plan lines, and the referral's own time if no line is on its day. */
function operationsOf({ lines, operationDate, isCancelled, status, statusSince, treatmentTypeId }: CountedReferral) {
  const standing = lines.filter((line) => !line.isCancelled);
  const comes =
    operationDate !== null &&
    !isCancelled &&
    !(WITHOUT_COMING_TIME.includes(status) && operationDate >= dayOf(statusSince)) &&
    !standing.some(({ date }) => date === operationDate);
  return comes ? [...standing, { date: operationDate, treatmentTypeId }] : standing;
}

/** Status at the end of each day: changes reverted on the same day do not count. */
function statusByDay({ log, status, statusSince }: CountedReferral): { day: string; status: number }[] {
  const last = new Map<string, number>();
  for (const line of log) last.set(dayOf(line.at), line.status);
  last.set(dayOf(statusSince), status);
  return [...last].map(([day, at]) => ({ day, status: at })).sort((a, b) => a.day.localeCompare(b.day));
}

function outcomeOf({ outcome, code, channel }: CountedReferral["messages"][number]): string {
  return outcome === "failed" && channel === "eboks" && code === NOT_REGISTERED ? "notRegistered" : outcome;
}
