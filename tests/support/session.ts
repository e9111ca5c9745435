import { sessionCookie } from "~/access/authenticator.server";
import { beginSession } from "~/access/sessions.server";
import { findByUserName } from "~/features/accounts/store.server";
import type { Db } from "~db/connection.server";

/** Begins a session beside a running portal, without checking a password; returns its cookie. */
export async function sessionOf(db: Db, userName: string): Promise<{ name: string; value: string }> {
  const { token } = await beginSession(db, (await findByUserName(db, userName))!, new Date());
  const [name, value] = (await sessionCookie(false).serialize(token)).split(";")[0]!.split("=");
  return { name: name!, value: value! };
}
