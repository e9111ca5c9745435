import { z } from "zod";
import { execute, plainInput, read } from "~/access/operation.server";
import { readUrgentAdvice } from "~/features/portal-texts/operations.server";
import { URGENT } from "~/features/referrals/model/referral";
import { readReceipt } from "~/features/referrals/wizard/operations.server";
import { readUsualWaits } from "~/features/statistics/usual-wait.server";

export const readReceiptPage = read({
  name: "readReceiptPage",
  permission: "referral.write",
  input: z.looseObject({}),
  async run({ db, portal, caller, now }, input) {
    const sending = await execute(portal, caller, readReceipt, plainInput(input));
    const isUrgent = sending.receipt?.referenceType === URGENT;
    return {
      ...sending,
      usualWaits: sending.receipt ? await readUsualWaits(portal, now) : [],
      urgentAdvice: isUrgent ? await readUrgentAdvice(db, portal.config, now) : null,
    };
  },
});
