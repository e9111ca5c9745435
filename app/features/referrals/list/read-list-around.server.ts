import { z } from "zod";
import { read } from "~/access/operation.server";
import { visibleStatus } from "~/features/referrals/model/status";
import { readReferralPage, referralPageInput } from "./referral-page.server";

/**
 * Neighbours of a referral in the list it was opened from, and how many are left; for pages of a single referral. The
 * answer contains no patient data, so nothing else is audited.
 */
export const readListAround = read({
  name: "readListAround",
  permission: "referral.read",
  input: z.object(referralPageInput),
  async run({ person, portal }, input) {
    const { shown, rows, place } = await readReferralPage(portal, person, input);
    return {
      ...place,
      f: shown().f,
      rows: rows.map(({ id, status, hasLeft }) => ({
        id,
        status: visibleStatus(status, person),
        ...(hasLeft ? { hasLeft } : {}),
      })),
    };
  },
});
