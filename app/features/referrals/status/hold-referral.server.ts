import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { onHoldText } from "~/features/referrals/model/missing-texts";
import { CLOSED } from "~/features/referrals/model/status";
import { lockReferral, updateStatusGuarded } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { addDays, addMonths, addYears, noDayText, parseDay } from "~/text/calendar";
import { localDate, toMoment } from "~/text/dates";

/** Periods from today. */
const periods = {
  week: (today: string) => addDays(today, 7),
  month: (today: string) => addMonths(today, 1),
  quarter: (today: string) => addMonths(today, 3),
  ended: () => null,
};

/**
 * Puts a referral on hold until a Copenhagen day, typed (`until`) or as a `period`, or ends it (`ended`). It keeps its
 * status, is only in the queue of held ones, and returns on that day or with another status. Throws `conflict`,
 * `notInScope` and `invalid` for a past day, one over two years ahead, or a closed referral.
 */
export const holdReferral = change({
  name: "holdReferral",
  permission: "referral.setStatus",
  seen: "statusVersion",
  input: z.object({
    referralId: z.coerce.number().int(),
    seenVersion: z.coerce.number().int(),
    period: z.enum(["week", "month", "quarter", "ended"]).optional(),
    until: z.string().max(40).optional(),
  }),
  async run(context, { referralId, seenVersion, period, until: typed }) {
    const { tx, actor, person, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const today = localDate(now);
    const until = period ? periods[period](today) : dayAhead(typed ?? "", today);
    if (until !== null && row.status === CLOSED)
      throw new Refusal("invalid", { text: "En afsluttet henvisning kan ikke sættes på vent." });
    const since = row.status_since ?? toMoment(now);
    await updateStatusGuarded(tx, row.id, seenVersion, {
      held_until: until,
      held_since: until === null ? null : since,
      status_since: since,
      modifier_id: person.id,
      modified_at: toMoment(now),
    });
    const event = until === null ? "Ikke længere på vent" : onHoldText(until);
    await insertVisitLog(tx, actor, [{ referralId: row.id, status: row.status, event }], now);
    invalidateCounts(context);
    auditChange([referralId], `hold ${until ?? "ended"}`);
    return { flash: { tone: "success" as const, text: `${event}.` } };
  },
});

function dayAhead(typed: string, today: string): string {
  const day = parseDay(typed);
  const error =
    day === null
      ? noDayText(typed)
      : day <= today
        ? "Datoen skal ligge efter i dag."
        : day > addYears(today, 2)
          ? "Datoen må højst ligge to år fremme."
          : null;
  if (error !== null) throw new Refusal("invalid", { text: error, fields: { until: [error] } });
  return day!;
}
