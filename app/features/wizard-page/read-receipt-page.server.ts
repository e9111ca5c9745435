import { execute, plainInput, read } from "~/access/operation.server";
import { readReceipt } from "~/features/referrals/wizard/read-receipt.server";
import { readUsualWaits } from "~/features/statistics/usual-wait.server";
import { z } from "zod";

export const readReceiptPage = read({
  name: "readReceiptPage",
  permission: "referral.write",
  input: z.looseObject({}),
  async run({ portal, caller, now }, input) {
    const sending = await execute(portal, caller, readReceipt, plainInput(input));
    return { ...sending, usualWaits: sending.receipt ? await readUsualWaits(portal, now) : [] };
  },
});
