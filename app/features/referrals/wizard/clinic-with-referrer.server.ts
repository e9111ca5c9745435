import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { clinicIdsOf } from "~/features/directory/find-clinic.server";
import type { Referrer } from "~/features/directory/find-referrers.server";
import type { Tx } from "~db/connection.server";

interface ClinicChange {
  own: number | null;
  /** Clinic chosen with the referrer; null for none. */
  wanted: number | null;
  /** Replaces the text of the 417. */
  refusal?: string;
}

/**
 * Clinic of a sent referral with a new referrer: the chosen one, else its own if the referrer belongs to it, else the
 * referrer's. Only an admin may change the clinic (docs/rules/people-and-clinics.md). Throws `otherClinic` (417), and `invalid` for
 * a clinic that is not the referrer's.
 */
export async function clinicWithReferrer(
  tx: Tx,
  person: Person,
  referrer: Pick<Referrer, "id" | "clinicId">,
  { own, wanted, refusal }: ClinicChange,
): Promise<number | null> {
  const theirs = await clinicIdsOf(tx, referrer.id);
  if (wanted !== null && !theirs.includes(wanted))
    throw new Refusal("invalid", { fields: { clinicId: ["Henviseren hører ikke til den klinik."] } });
  const next = wanted ?? (own !== null && theirs.includes(own) ? own : referrer.clinicId);
  if (next !== own && !can(person, "referral.changeClinic"))
    throw new Refusal("otherClinic", refusal === undefined ? {} : { text: refusal });
  return next;
}
