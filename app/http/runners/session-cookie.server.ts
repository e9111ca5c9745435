import { sessionCookie } from "~/access/authenticator.server";
import type { CommandResult } from "~/access/command-result";

/** Sets the cookie of a new session, or clears that of an ended one; nothing when the session is unchanged. */
export async function appendSession(
  headers: Headers,
  session: CommandResult["session"],
  secure: boolean,
): Promise<void> {
  if (!session) return;
  const cookie = sessionCookie(secure);
  // No lifetime of its own: the session's row says when it ends, moves with every use, and a closed browser forgets the cookie.
  headers.append(
    "Set-Cookie",
    session === "ended" ? await cookie.serialize("", { maxAge: 0 }) : await cookie.serialize(session.token),
  );
  // The older client kept things in local storage; signing in and out leaves none. Signing out takes the cached pictures away too.
  headers.set("Clear-Site-Data", session === "ended" ? '"cache", "storage"' : '"storage"');
}
