import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findByUserName } from "~/features/accounts/account-administration.server";
import { endFactorOf } from "./end-factor.server";
import { line } from "~/text/fields.server";

/**
 * Command line: for an only administrator who has lost their phone. Throws `accountUnknown`, and `conflict` if there is
 * none to end.
 */
export const resetSecondFactor = change({
  name: "resetSecondFactor",
  permission: "system",
  input: z.object({ userName: line.min(1) }),
  async run(context, { userName }) {
    const account = await findByUserName(context.tx, userName);
    if (account === null) throw new Refusal("accountUnknown");
    context.concerns({ userId: account.id });
    if (!(await endFactorOf(context, account)))
      throw new Refusal("conflict", { text: "Kontoen har ikke totrinslogin." });
    return {};
  },
});
