import { z } from "zod";
import { isDentist, isStaff, type Person } from "~/access/actor";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findReferrer, findReferrers, findReferrerToName, referrerChoice } from "~/features/directory/find-referrers.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { findInWizard, updateGuarded } from "./referral-store.server";
import { insertVisitLog } from "./visit-log-store.server";
import type { Tx } from "~db/connection.server";
import { WIZARD_FAULT } from "./referral";

/**
 * Step 2 of the wizard (specification 2 §2.1, §7 POST /Visits/{id}/doctorinfo): who refers, and whether he hears of new statuses. A
 * dentist is the referrer himself. Naming a referrer of another clinic, or one that does not exist, is 417 `otherClinic`; somebody
 * else's newer change is a `conflict`, and a draft that was sent meanwhile `alreadySent`.
 */
export const saveReferrer = change({
  name: "saveReferrer",
  faultText: WIZARD_FAULT,
  permission: "referral.write",
  input: z.object({
    referralId: z.coerce.number().int(),
    referrerId: z.coerce.number().int().optional(),
    sendNotification: z.literal("on").optional(),
    /** Absent: the last one wins (design/decisions.md, Times, text, numbers, races). */
    seenVersion: z.coerce.number().int().optional(),
  }),
  async run({ tx, person, actor, now, touched }, { referralId, referrerId, sendNotification, seenVersion }) {
    const row = await findInWizard(tx, person, referralId);
    if (row.available_step < 2) throw new Refusal("stepNotReached");
    const referrer = await chosenReferrer(tx, person, referrerId);
    await updateGuarded(tx, referralId, seenVersion ?? row.version, {
      referrer_id: referrer.id,
      clinic_id: clinicFor(person, referrer, row.clinic_id),
      external_doctor_id: referrer.externalId,
      send_notification_to_dentist: sendNotification === "on" ? 1 : 0,
      available_step: 3,
      modifier_id: person.id,
      modified_at: toMoment(now),
    });
    if (row.sent_at !== null) await insertVisitLog(tx, actor, [{ referralId, status: row.status, event: `Henviser: ${referrer.name}` }], now);
    touched([referralId], `referrer ${referrer.id}`);
    return { to: paths.wizardStep(referralId, 3) };
  },
});

async function chosenReferrer(tx: Tx, person: Person, referrerId: number | undefined) {
  if (isDentist(person)) {
    const own = await findReferrer(tx, person.id);
    if (!own || (referrerId !== undefined && referrerId !== person.id)) throw new Refusal("otherClinic");
    return own;
  }
  if (referrerId === undefined) throw new Refusal("invalid", { fields: { referrerId: ["Vælg en henviser."] } });
  const named = await findReferrerToName(tx, person, referrerId);
  if (!named) throw new Refusal("otherClinic", { fields: { referrerId: ["Vælg en henviser fra listen."] } });
  return named;
}

/** The referrer's own clinic; for a secretary whose referrer sits elsewhere first, the clinic the draft was begun in. */
function clinicFor(person: Person, referrer: { clinicId: number | null }, begunIn: number | null): number | null {
  if (isStaff(person) || isDentist(person)) return referrer.clinicId;
  return referrer.clinicId !== null && person.clinicIds.includes(referrer.clinicId) ? referrer.clinicId : begunIn;
}

/** The find button beside the referrer's field: answers `found.referrers` to the POST itself, so no name reaches the address. */
export const searchReferrers = change({
  name: "searchReferrers",
  permission: "referral.chooseReferrer",
  input: z.object({ search: z.string().max(100).default("") }),
  async run({ tx, person }, { search }) {
    const referrers = await findReferrers(tx, person, search);
    return { found: { search, referrers: referrers.map(referrerChoice) } };
  },
});
