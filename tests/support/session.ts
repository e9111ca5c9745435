import { sessionCookie } from "~/access/authenticator.server";
import { beginSession } from "~/access/sessions.server";
import { findByUserName } from "~/features/accounts/store.server";
import { openDatabase } from "~db/connection.server";

/** Begins a session beside a running portal on SQLite, without checking a password; returns the Cookie header. */
export async function sessionOf(dataDir: string, userName: string): Promise<string> {
  const db = openDatabase({ dataDir, databaseUrl: "" });
  try {
    const { token } = await beginSession(db, (await findByUserName(db, userName))!, new Date());
    return (await sessionCookie(false).serialize(token)).split(";")[0]!;
  } finally {
    await db.destroy();
  }
}
