import { z } from "zod";
import type { Tx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { change, type ChangeContext } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { clinicIdsOf } from "~/features/directory/find-clinic.server";
import { findReferrerToName, type Referrer } from "~/features/directory/find-referrers.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { edited } from "./edit-referral.schema.server";
import { findReferral, updateGuarded } from "./referral-store.server";
import { insertVisitLog } from "./visit-log-store.server";
import { WIZARD_FAULT } from "./referral";

/** The overview's words differ from the wizard's by one (specification 1 §8, 2 §8). */
const OTHER_CLINIC = "Forbudt at tildele besøg til en anden klinik.";

const newReferrer = edited.and(
  z.object({
    referrerId: z.coerce.number({ error: "Vælg en henviser." }).int(),
    changeClinic: z.literal("on").optional(),
    clinicId: z.coerce.number().int().optional(),
  }),
);

/**
 * 'Skift henviser' on an open referral (specification 1 §5, §6, §7 PATCH /doctorId). Without a clinic the referral stays in its own when
 * the referrer belongs to it, else it follows him, which only an admin may do (docs/decisions/0031). With a clinic both are needed, and
 * he must belong to it. Throws `otherClinic` (417), `conflict`, `invalid` and `notInScope`.
 */
export const changeReferrer = change({
  name: "changeReferrer",
  faultText: WIZARD_FAULT,
  permission: "referral.editSent",
  input: newReferrer,
  run: putReferrer,
});

/** The same within another change. */
export async function putReferrer({ tx, actor, person, now, touched }: ChangeContext, { referralId, seenVersion, to, referrerId, changeClinic, clinicId }: z.output<typeof newReferrer>) {
  const row = await findReferral(tx, actor, referralId);
  const referrer = await findReferrerToName(tx, person, referrerId);
  if (!referrer) throw new Refusal("invalid", { fields: { referrerId: ["Vælg en henviser fra listen."] } });
  if (changeClinic && clinicId === undefined) throw new Refusal("invalid", { fields: { clinicId: ["Vælg en klinik."] } });
  const clinic = await clinicFor(tx, person, referrer, { own: row.clinic_id, wanted: changeClinic ? (clinicId ?? null) : null });
  const back = `${safeReturn(to ?? paths.referral(referralId))}#henvisning`;
  if (row.referrer_id === referrer.id && row.clinic_id === clinic && row.external_doctor_id === referrer.externalId) {
    return { to: back, flash: { tone: "info" as const, text: `${referrer.name} er allerede henviser.` } };
  }
  await updateGuarded(tx, referralId, seenVersion, {
    referrer_id: referrer.id,
    clinic_id: clinic,
    external_doctor_id: referrer.externalId,
    modifier_id: person.id,
    modified_at: toMoment(now),
  });
  await insertVisitLog(tx, actor, [{ referralId, status: row.status, event: `Henviser: ${referrer.name}` }], now);
  touched([referralId], `referrer ${referrer.id}, clinic ${clinic ?? "none"}`);
  return { to: back, flash: { tone: "success" as const, text: `${referrer.name} er nu henviser.` } };
}

async function clinicFor(tx: Tx, person: Person, referrer: Referrer, { own, wanted }: { own: number | null; wanted: number | null }): Promise<number | null> {
  const theirs = await clinicIdsOf(tx, referrer.id);
  if (wanted !== null && !theirs.includes(wanted)) throw new Refusal("invalid", { fields: { clinicId: ["Henviseren hører ikke til den klinik."] } });
  const next = wanted ?? (own !== null && theirs.includes(own) ? own : referrer.clinicId);
  if (next !== own && !can(person, "referral.changeClinic")) throw new Refusal("otherClinic", { text: OTHER_CLINIC });
  return next;
}
