import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { clinicIdsOf } from "~/features/directory/find-clinic.server";
import type { Referrer } from "~/features/directory/find-referrers.server";
import type { Tx } from "~db/connection.server";

interface ClinicChange {
  /** The clinic that the referral is in. */
  own: number | null;
  /** The one that was chosen along with the referrer; null for none. */
  wanted: number | null;
  /** What a 417 says, where the page has words of its own. */
  refusal?: string;
}

/**
 * The clinic of a sent referral that gets another referrer: the chosen one, else its own when the referrer belongs to it, else the referrer's.
 * Only an admin may move it to another clinic (docs/decisions/0023). Throws `otherClinic` (417), and `invalid` for a clinic that is not the referrer's.
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
