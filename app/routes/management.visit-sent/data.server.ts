import { z } from "zod";
import { execute, plainInput, read } from "~/access/operation.server";
import { readReceipt } from "~/features/referrals/wizard/operations.server";
import { readUsualWaits } from "~/features/statistics/usual-wait.server";

export const readReceiptPage = read({
  name: "readReceiptPage",
  permission: "referral.write",
  input: z.looseObject({}),
  async run({ portal, caller, now }, input) {
    const sending = await execute(portal, caller, readReceipt, plainInput(input));
    return { ...sending, usualWaits: sending.receipt ? await readUsualWaits(portal, now) : [] };
  },
});
