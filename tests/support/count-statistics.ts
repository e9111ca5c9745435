import { differenceInCalendarDays, getDay, parseISO } from "date-fns";
import { addDays } from "~/text/calendar";
import type { Db } from "~db/connection.server";
import { localDate } from "~/text/dates";

const ENDED = [7, 8, 10];
const UNTRIAGED = [0, 16, 4, 7, 8, 10, 13];

/**
 * Expected statistics, counted from every row by the rules only (docs/rules/statistics.md), without the portal's code.
 * Keys: `measure|grain|start|bucket|referrer|clinic|type`.
 */
export async function countStatistics(db: Db): Promise<Record<string, number>> {
  const sums = new Map<string, number>();
  const add = (measure: string, day: string, bucket: string | number = "", dimensions = "0|0|0") => {
    const third = Math.min(2, Math.floor((Number(day.slice(8)) - 1) / 10));
    for (const [grain, start] of [
      ["D", day],
      ["T", `${day.slice(0, 8)}${third}1`],
      ["M", `${day.slice(0, 7)}-01`],
    ]) {
      const key = `${measure}|${grain}|${start}|${bucket}|${dimensions}`;
      sums.set(key, (sums.get(key) ?? 0) + 1);
    }
  };
  const day = (moment: string) => localDate(new Date(moment));
  const all = await db.selectFrom("referral").selectAll().where("sentAt", "is not", null).execute();
  for (const r of all.filter((row) => !row.isTest && row.deletedAt === null)) {
    const sent = day(r.sentAt!);
    const sides = `${r.referrerId ?? 0}|${r.clinicId ?? 0}`;
    add("sent", sent, "", `${sides}|${r.treatmentTypeId ?? 0}`);
    add("sentBy", sent, "", `${r.referrerId ?? 0}|0|0`);
    add("urgency", sent, r.referenceType);
    if (!ENDED.includes(r.status)) add("open", day(r.statusSince!), r.status);

    const lines = await db.selectFrom("visitAppointment").selectAll().where("referralId", "=", r.id).execute();
    const operations = lines
      .filter((line) => !line.isCancelled)
      .map((line) => [line.date, line.treatmentTypeId] as const);
    const stays = ![8, 13].includes(r.status) || (r.operationDate ?? "") < day(r.statusSince!);
    if (
      r.operationDate !== null &&
      r.cancellationDate === null &&
      stays &&
      operations.every(([date]) => date !== r.operationDate)
    )
      operations.push([r.operationDate, r.treatmentTypeId]);
    for (const [date, type] of operations) add("operation", date, "", `${sides}|${type ?? 0}`);

    const log = await db
      .selectFrom("visitLog")
      .select(["at", "status"])
      .where("referralId", "=", r.id)
      .where("status", "is not", null)
      .orderBy("id")
      .execute();
    log.push({ at: r.statusSince!, status: r.status });
    const days = [...new Set(log.map(({ at }) => day(at)))].sort();
    // The present status comes last.
    const at = (date: string) => log.filter((line) => day(line.at) === date).at(-1)!.status!;
    const first = (is: (status: number) => boolean) => days.find((date) => is(at(date)));
    const wait = (measure: string, date: string | undefined) => {
      if (date !== undefined && date >= sent)
        add(measure, date, `${r.referenceType}:${differenceInCalendarDays(parseISO(date), parseISO(sent))}`);
    };
    wait(
      "toTriage",
      first((status) => !UNTRIAGED.includes(status)),
    );
    wait(
      "toCallUp",
      first((status) => status === 5 || status === 9),
    );
    wait("toOperation", operations.map(([date]) => date).sort()[0]);
    for (const [index, date] of days.entries())
      if (at(date) === 11 && (index === 0 || at(days[index - 1]!) !== 11)) add("stopped", date, "notReached");

    const spells = await db.selectFrom("silence").selectAll().where("referralId", "=", r.id).execute();
    if (r.nextDueOn < "9999" && spells.every((spell) => spell.untilDay !== null))
      spells.push({ referralId: r.id, fromDay: addDays(r.nextDueOn, 1), untilDay: null });
    const wasSilentOn = (date: string) =>
      spells.some(({ fromDay: from, untilDay: until }) => from <= date && (until === null || date < until));
    for (const { fromDay: from, untilDay: until } of spells) {
      add("silence", from, "began");
      if (until !== null) add("silence", until, "ended");
      const before = Array.from({ length: (getDay(parseISO(from)) + 6) % 7 }, (_, back) => addDays(from, -1 - back));
      if (before.some(wasSilentOn)) add("silence", from, "again");
    }
    const items = await db
      .selectFrom("materialLine")
      .innerJoin("materialRequest", "materialRequest.id", "requestId")
      .select(["kind", "answer", "requestedAt"])
      .where("referralId", "=", r.id)
      .execute();
    for (const { kind, answer, requestedAt: asked } of items)
      if (answer !== "withdrawn") add("material", day(asked), kind, `0|${r.clinicId ?? 0}|0`);

    const answers = await db.selectFrom("appointmentAnswer").selectAll().where("referralId", "=", r.id).execute();
    for (const answer of answers)
      if (answer.answer === "cancelled" && answer.undoneAt === null) add("stopped", day(answer.at), "cancelled");
    const messages = await db.selectFrom("outbox").selectAll().where("referralId", "=", r.id).execute();
    for (const { outcome, channel, code, settledAt } of messages) {
      const isUnregistered = channel === "eboks" && outcome === "failed" && code === 4;
      if (["sent", "failed", "unknown"].includes(outcome))
        add("message", day(settledAt!), `${channel}:${isUnregistered ? "notRegistered" : outcome}`);
    }
  }
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The stored sums in the same form. */
export async function storedStatistics(db: Db): Promise<Record<string, number>> {
  const rows = await db.selectFrom("statisticsSum").selectAll().where("n", "!=", 0).execute();
  return Object.fromEntries(
    rows
      .map(
        (row) =>
          [
            [row.measure, row.grain, row.start, row.bucket, row.referrerId, row.clinicId, row.treatmentTypeId].join(
              "|",
            ),
            row.n,
          ] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
