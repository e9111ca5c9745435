import { execute, plainInput, read, type ResultOf } from "~/access/operation.server";
import { readMessages } from "~/features/messages/read-messages.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";

/** The page of one referral: the referral itself and what other features keep about it. Throws `notInScope`. */
export const readOpenReferral = read({
  name: "readOpenReferral",
  permission: "referral.read",
  input: readReferral.input,
  async run({ portal, caller }, input) {
    const [referral, messages] = await Promise.all([
      execute(portal, caller, readReferral, plainInput(input)),
      execute(portal, caller, readMessages, plainInput({ referralId: input.referralId })),
    ]);
    return { ...referral, messages };
  },
});

export type OpenReferral = ResultOf<typeof readOpenReferral>;
