import { endSessionsOf } from "~/access/session-store.server";
import type { Tx } from "~db/connection.server";
import { revokeTokens } from "./token-store.server";

/**
 * Ends what lets somebody in without their password, once something by which they sign in is changed: sessions, except one, and links to
 * choose a password. Otherwise a session that somebody else began would outlive the change that was to end it.
 */
export async function endAccessOf(tx: Tx, userId: number, now: Date, exceptSession: string | null = null) {
  await endSessionsOf(tx, userId, exceptSession);
  await revokeTokens(tx, userId, now);
}
