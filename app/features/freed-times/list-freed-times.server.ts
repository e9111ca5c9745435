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
    const madeOf = times.map(({ id }) => offers.filter((offer) => offer.freedTimeId === id));
    const waitingFor = await findWaiting(
      db,
      times.map((time, index) => ({
        treatmentTypeId: time.treatmentTypeId,
        without: [time.referralId, ...madeOf[index]!.map(({ referralId: id }) => id)],
      })),
      now,
      MAX_WAITING,
    );
    const shown = times.map((time, index) => {
      const made = madeOf[index]!;
      const waiting = waitingFor[index]!;
      const open = made.find(({ outcome, expiresAt: until }) => outcome === "open" && new Date(until) > now);
      return {
        id: time.id,
        moment: time.operationMoment,
        durationMinutes: time.durationMinutes,
        treatment: time.treatment,
        surgeon: time.surgeonId === null ? null : `${time.surgeonFirstName} ${time.surgeonLastName}`,
        canBeOffered: offerDeadline(startOfMoment(time.operationMoment), now) !== null,
        offer: open ? { referralId: open.referralId, name: fullName(open), expiresAt: open.expiresAt } : null,
        refused: made
          .filter((offer) => offer !== open)
          .map((offer) => ({
            referralId: offer.referralId,
            name: fullName(offer),
            outcome: outcomeOf(offer.outcome),
          })),
        waiting: waiting.rows.map((row) => ({
          referralId: row.id,
          name: fullName(row),
          days: calendarDaysBetween(new Date(row.createDate), now),
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
