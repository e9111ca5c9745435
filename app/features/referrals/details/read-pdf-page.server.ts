import { z } from "zod";
import { read } from "~/access/operation.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";

/** The page that links to a referral's PDF lead to; requires sign-in. Throws `notInScope`. */
export const readPdfPage = read({
  name: "readPdfPage",
  permission: "referral.read",
  input: z.object({ referralId: z.coerce.number().int().positive() }),
  async run({ db, actor, portal }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    return { referralId: row.id, clinicName: portal.config.clinicName };
  },
});
