import { revokeTokens } from "./access-token-store.server";
import { endSessionsOf } from "~/access/session-store.server";
import type { Tx } from "~db/connection.server";

/**
 * Ends sessions (except one) and password links after a sign-in detail has changed; otherwise an intruder's session
 * would outlive the change.
 */
export async function endAccessOf(tx: Tx, userId: number, now: Date, exceptSession: string | null = null) {
  await endSessionsOf(tx, userId, exceptSession);
  await revokeTokens(tx, userId, now);
}
