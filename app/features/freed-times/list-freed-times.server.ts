import { read, type ResultOf } from "~/access/operation.server";
import { startOfMoment } from "~/features/referrals/model/operation-start.server";
import { calendarDaysBetween } from "~/text/copenhagen.server";
import { localDate, localTime } from "~/text/dates";
import { fullName } from "~/text/names";
import { findBookedByAnother, findFreeTimes, findOffersOf, findWaiting } from "./store.server";
import { offerDeadline } from "./offer-time.server";
import { idsOf } from "~db/connection.server";

const MAX_TIMES = 20;
const MAX_WAITING = 4;

/** Cancelled future times with the patients who wait for the same treatment, oldest first. */
export const listFreedTimes = read({
  name: "listFreedTimes",
  permission: "patientMessage.send",
  async run({ db, now, auditRead }) {
    const ahead = await findFreeTimes(db, `${localDate(now)} ${localTime(now)}`, MAX_TIMES);
    const booked = await findBookedByAnother(db, ahead);
    const times = ahead.filter((time) => !booked.includes(time));
    const offers = await findOffersOf(db, idsOf(times));
    const madeOf = times.map(({ id }) => offers.filter((offer) => offer.freed_time_id === id));
    const waitingFor = await findWaiting(
      db,
      times.map((time, index) => ({
        treatmentTypeId: time.treatment_type_id,
        without: [time.referral_id, ...madeOf[index]!.map(({ referral_id: id }) => id)],
      })),
      now,
      MAX_WAITING,
    );
    const shown = times.map((time, index) => {
      const made = madeOf[index]!;
      const waiting = waitingFor[index]!;
      const open = made.find(({ outcome, expires_at: until }) => outcome === "open" && new Date(until) > now);
      return {
        id: time.id,
        moment: time.operation_moment,
        durationMinutes: time.duration_minutes,
        treatment: time.treatment,
        surgeon: time.surgeon_id === null ? null : `${time.surgeon_first_name} ${time.surgeon_last_name}`,
        canBeOffered: offerDeadline(startOfMoment(time.operation_moment), now) !== null,
        offer: open ? { referralId: open.referral_id, name: fullName(open), expiresAt: open.expires_at } : null,
        refused: made
          .filter((offer) => offer !== open)
          .map((offer) => ({
            referralId: offer.referral_id,
            name: fullName(offer),
            outcome: outcomeOf(offer.outcome),
          })),
        waiting: waiting.rows.map((row) => ({
          referralId: row.id,
          name: fullName(row),
          days: calendarDaysBetween(new Date(row.create_date), now),
        })),
        waitingCount: waiting.count,
      };
    });
    auditRead(
      shown.flatMap(({ waiting, offer, refused }) => [
        ...[...waiting, ...refused].map(({ referralId }) => referralId),
        ...(offer ? [offer.referralId] : []),
      ]),
    );
    return { freedTimes: shown };
  },
});

export type FreedTime = ResultOf<typeof listFreedTimes>["freedTimes"][number];

const outcomeOf = (outcome: string) =>
  outcome === "open" ? "expired" : (outcome as "declined" | "expired" | "withdrawn");
