import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { findChosenReferrer } from "~/features/directory/find-referrers.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { typedChoice } from "~/text/fields.server";
import { clinicWithReferrer } from "~/features/referrals/wizard/clinic-with-referrer.server";
import { edited } from "./edit-referral.schema.server";
import { findReferral, updateGuarded } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";

/** Differs from the wizard's text by one word. */
const OTHER_CLINIC = "Forbudt at tildele besøg til en anden klinik.";

const newReferrer = edited.and(
  z.object({
    referrerId: z.coerce.number({ error: "Vælg en henviser." }).int().optional(),
    referrerIdText: typedChoice,
    changeClinic: z.literal("on").optional(),
    clinicId: z.coerce.number().int().optional(),
  }),
);

export const changeReferrer = change({
  name: "changeReferrer",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.editSent",
  input: newReferrer,
  run: applyReferrer,
});

export async function applyReferrer(
  { tx, actor, person, now, auditChange }: ChangeContext,
  { referralId, seenVersion, to, referrerId, referrerIdText, changeClinic, clinicId }: z.output<typeof newReferrer>,
) {
  const row = await findReferral(tx, actor, referralId);
  if (referrerId === undefined && referrerIdText === undefined)
    throw new Refusal("invalid", { fields: { referrerId: ["Vælg en henviser."] } });
  const referrer = await findChosenReferrer(tx, person, { id: referrerId, text: referrerIdText });
  if (!referrer) throw new Refusal("invalid", { fields: { referrerId: ["Vælg en henviser fra listen."] } });
  if (changeClinic && clinicId === undefined)
    throw new Refusal("invalid", { fields: { clinicId: ["Vælg en klinik."] } });
  const clinic = await clinicWithReferrer(tx, person, referrer, {
    own: row.clinic_id,
    wanted: changeClinic ? (clinicId ?? null) : null,
    refusal: OTHER_CLINIC,
  });
  const back = `${safeReturn(to ?? paths.referral(referralId))}#henvisning`;
  if (row.referrer_id === referrer.id && row.clinic_id === clinic && row.external_doctor_id === referrer.externalId) {
    return { to: back, flash: { tone: "info" as const, text: `${referrer.name} er allerede henviser.` } };
  }
  await updateGuarded(tx, row.id, seenVersion, {
    referrer_id: referrer.id,
    clinic_id: clinic,
    external_doctor_id: referrer.externalId,
    modifier_id: person.id,
    modified_at: toMoment(now),
  });
  await insertVisitLog(
    tx,
    actor,
    [{ referralId: row.id, status: row.status, event: `Henviser: ${referrer.name}` }],
    now,
  );
  auditChange([referralId], `referrer ${referrer.id}, clinic ${clinic ?? "none"}`);
  return { to: back, flash: { tone: "success" as const, text: `${referrer.name} er nu henviser.` } };
}
