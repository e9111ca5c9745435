import type { ChangeContext } from "~/access/operation.server";
import { rememberAddress } from "~/access/known-address-store.server";
import { beginSession } from "~/access/sessions.server";
import { endSession } from "~/access/session-store.server";
import type { AccountRow } from "./store.server";
import { addressHash } from "./sign-in-limits.server";
import { restoreSealed } from "./sealed-input.server";

/** Begins the session after all steps and redirects. `sealed` is what was typed before the former session expired. */
export async function completeSignIn(
  { tx, now, portal, caller }: Pick<ChangeContext, "tx" | "now" | "portal" | "caller">,
  user: AccountRow,
  { to, sealed }: { to: string; sealed: string | null },
) {
  const restored = sealed ? restoreSealed(portal.secrets, user.id, sealed, now) : null;
  // The former session must be ended now, before its cookie is overwritten.
  if (caller.sessionId !== null) await endSession(tx, caller.sessionId);
  await rememberAddress(tx, user.id, addressHash(portal, caller), now);
  const session = await beginSession(tx, user, now, {
    pendingForm: restored ? sealed : null,
    device: caller.device ?? null,
  });
  return { session, to: restored?.path ?? to };
}
