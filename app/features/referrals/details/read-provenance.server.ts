import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { read } from "~/access/operation.server";
import { findNamedUsers } from "~/features/directory/find-referrers.server";
import { isoMoment } from "~/text/dates";
import { findEditable, type ReferralRow } from "~/features/referrals/store/referral-store.server";

/** Creator and last editor (GET /Visits/{id}/doctorinfo). Throws `notInScope`. */
export const readProvenance = read({
  name: "readProvenance",
  permission: "referral.readProvenance",
  input: z.object({ referralId: z.number().int() }),
  async run({ db, actor, auditRead }, { referralId }) {
    const row = await findEditable(db, actor, referralId);
    auditRead([row.id]);
    return provenanceOf(db, row);
  },
});

export async function provenanceOf(db: DbOrTx, row: ReferralRow) {
  const users = await findNamedUsers(db, [row.creator_id, row.modifier_id]);
  const [creator, modifier] = [users.get(row.creator_id), users.get(row.modifier_id)];
  return {
    creatorName: creator?.name ?? null,
    creatorClinic: creator?.clinicName ?? null,
    creationTime: isoMoment(row.create_date),
    modifierName: modifier?.name ?? null,
    modifierClinic: modifier?.clinicName ?? null,
    modifyTime: isoMoment(row.modified_at),
  };
}
