import type { ChangeContext } from "~/access/operation.server";
import { endSessionsOf } from "~/access/session-store.server";
import { accountMails } from "~/features/accounts/account-mail.server";
import { deleteFactors } from "~/features/second-factor/factors.server";

/** Ends a user's second factor and sessions and notifies them by mail. False if they had none. */
export async function endFactorOf(
  { tx, portal, outbox, now }: Pick<ChangeContext, "tx" | "portal" | "outbox" | "now">,
  owner: { id: number; first_name: string; email: string },
): Promise<boolean> {
  if (!(await deleteFactors(tx, owner.id))) return false;
  await endSessionsOf(tx, owner.id, null);
  await outbox.emails(await accountMails(tx, portal, owner, ["secondFactor"], [owner.email], { now }));
  return true;
}
