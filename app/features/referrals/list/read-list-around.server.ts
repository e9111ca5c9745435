import { z } from "zod";
import { read } from "~/access/operation.server";
import { visibleStatus } from "~/features/referrals/model/status";
import { readReferralPage, referralPageInput } from "./referral-page.server";

/**
 * What lies before and after a referral in the list that it was opened from, and how many are left: for a page that shows the one referral
 * alone, such as its images. The answer names no patient, so nothing else counts as read.
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
