import { addHours, addMinutes } from "date-fns";
import { momentThere } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import { localDate, localHour, localTime, writeDateTime, showDay, toMoment } from "~/text/dates";
import { z } from "zod";
import { unlessTaken } from "~db/connection.server";
import { change, wholeNumber, pageAddress, succeeded } from "~/access/operation.server";
import { issuePatientLink } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import { backTo } from "~/features/accounts/return-path";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { partsOfMoment, showMoment } from "~/features/referrals/model/operation-moment";
import { endOfMoment, startOfMoment } from "~/features/referrals/model/operation-start.server";
import { WAITING_FOR_TIME } from "~/features/referrals/model/statuses";
import { withdrawOffers } from "./answer-offer.server";
import {
  closeFreedTime,
  findOfferByMessage,
  hasOpenOfferOf,
  insertOffer,
  isBookedByAnother,
  lockFreedTime,
  setOfferMessage,
  settleExpired,
  settleOffer,
} from "./store.server";
import type { ClaimedMessage, KindHooks } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import type { Portal } from "~/portal.server";
import { patientPaths } from "~/text/link-token";

const HOURS_TO_ANSWER = 3;
/** Minutes that a patient needs to read the offer and arrive. */
const MINUTES_BEFORE = 60;
const LAST_HOUR = 20;
const FIRST_HOUR = 10;

/**
 * The deadline of an offer: three hours on, rounded to the full hour; for an offer made in the evening, ten the next
 * morning; never later than an hour before the time. Null if no time is left to answer.
 */
export function offerDeadline(start: Date, now: Date): Date | null {
  const later = addHours(now, HOURS_TO_ANSWER);
  const [day, hour] = [localDate(later), localHour(later)];
  const full = momentThere(day, localTime(later).endsWith(":00") ? hour : hour + 1, 0);
  const isTooLate = hour >= LAST_HOUR || day !== localDate(now);
  const wanted = isTooLate ? momentThere(addDays(localDate(now), 1), FIRST_HOUR, 0) : full;
  const latest = addMinutes(start, -MINUTES_BEFORE);
  const deadline = wanted < latest ? wanted : latest;
  return deadline > addMinutes(now, MINUTES_BEFORE / 2) ? deadline : null;
}

const conflict = (text: string) => new Refusal("conflict", { text });

/**
 * 'Tilbyd tiden': offers a freed time to a waiting patient by SMS with a link. Only one offer of a time is open at
 * once. Throws `conflict` if the time is not free or was offered; `invalid` if no SMS can be sent.
 */
export const offerTime = change({
  name: "offerTime",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({
    freedTimeId: wholeNumber,
    referralId: wholeNumber,
    to: pageAddress,
  }),
  async run(context, { freedTimeId, referralId, to }) {
    const { tx, actor, person, portal, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const time = await lockFreedTime(tx, freedTimeId);
    if (time === undefined || time.closedAt !== null || (await isBookedByAnother(tx, time)))
      throw conflict("Tiden er ikke længere ledig.");
    if (!WAITING_FOR_TIME.includes(row.status)) throw conflict(`Nr. ${row.id} venter ikke længere på en tid.`);
    if (await hasOpenOfferOf(tx, referralId, now))
      throw conflict(
        `Nr. ${row.id} er allerede tilbudt en tid og har ikke svaret endnu. Tag det tilbud tilbage først.`,
      );
    const moment = time.operationMoment;
    const expiresAt = offerDeadline(startOfMoment(moment), now);
    if (expiresAt === null) throw conflict("Der er for kort tid til, at nogen kan nå at svare. Ring i stedet.");
    await settleExpired(tx, freedTimeId, now);
    const offer = { freedTimeId, referralId, offeredBy: person.id, expiresAt };
    const id = await unlessTaken(insertOffer(tx, offer, now), () => {
      throw conflict("Tiden er allerede tilbudt en anden patient, som ikke har svaret endnu.");
    });
    const token = await issuePatientLink(
      tx,
      { purpose: "appointmentAnswer", referralId, operationMoment: moment },
      { now, expiresAt: endOfMoment(moment) },
    );
    const { day } = partsOfMoment(moment);
    const { outboxId } = await queuePatientMessage(context, {
      kind: "timeOffer",
      channel: "sms",
      referral: row,
      values: {
        dato: showDay(day),
        klokkeslæt: moment.slice(11).replace(":", "."),
        svarfrist: writeDateTime(toMoment(expiresAt)),
        svarlink: `${portal.config.publicOrigin}${patientPaths.appointmentAnswer(token)}`,
      },
      expiresAt,
    });
    await setOfferMessage(tx, id, outboxId);
    const event = `Tilbudt tiden ${showMoment(moment)}, svar senest ${writeDateTime(toMoment(expiresAt))}`;
    await logWithoutStatus(context, row.id, event);
    auditChange([row.id], `offered time ${moment}`);
    return {
      ...backTo(to),
      ...succeeded(`Tiden er tilbudt nr. ${row.id}. Svar senest ${writeDateTime(toMoment(expiresAt))}.`),
    };
  },
});

const ofTime = z.object({ freedTimeId: wholeNumber, to: pageAddress });

/** 'Tag tilbuddet tilbage': frees the time for another patient. Throws `conflict` once accepted. */
export const withdrawOffer = change({
  name: "withdrawOffer",
  permission: "patientMessage.send",
  input: ofTime,
  async run(context, { freedTimeId, to }) {
    const time = await lockFreedTime(context.tx, freedTimeId);
    if (time === undefined || time.closedAt !== null) throw conflict("Tiden er ikke længere ledig.");
    await withdrawOffers(context, { freedTimeId });
    context.auditChange([time.referralId], `offer of ${time.operationMoment} withdrawn`);
    return { ...backTo(to), ...succeeded("Tilbuddet er taget tilbage.") };
  },
});

/**
 * 'Fjern': removes a time from the list, e.g. when it was given away by phone. Throws `conflict` if a patient has taken
 * it.
 */
export const removeFreedTime = change({
  name: "removeFreedTime",
  permission: "patientMessage.send",
  input: ofTime,
  async run(context, { freedTimeId, to }) {
    const { tx, now, auditChange } = context;
    const time = await lockFreedTime(tx, freedTimeId);
    if (time === undefined || !(await closeFreedTime(tx, freedTimeId, "removed", null, now)))
      throw conflict("Tiden er ikke længere ledig.");
    await withdrawOffers(context, { freedTimeId });
    auditChange([time.referralId], `freed time ${time.operationMoment} removed`);
    return { ...backTo(to), ...succeeded("Tiden er fjernet fra de ledige tider.") };
  },
});

/** Sent only while the time is available; a failed one frees it for the next patient. */
export const timeOfferHooks: KindHooks = {
  ...patientHooks,
  async recheck(portal: Portal, message: ClaimedMessage) {
    const offer = await findOfferByMessage(portal.db, message.id);
    if (offer?.outcome !== "open" || new Date(offer.expiresAt) <= portal.clock.now())
      return { outcome: "withdrawn", detail: "Tiden er ikke længere tilbudt" };
    return patientHooks.recheck(portal, message);
  },
  async onSettled(context, message, settlement) {
    await patientHooks.onSettled(context, message, settlement);
    if (settlement.outcome !== "failed" && settlement.outcome !== "withdrawn") return;
    const offer = await findOfferByMessage(context.tx, message.id);
    if (offer) await settleOffer(context.tx, offer.id, "withdrawn", context.now);
  },
};
