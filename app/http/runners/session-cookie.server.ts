import { sessionCookie } from "~/access/authenticator.server";
import type { CommandResult } from "~/access/command-result";

/** Adds the cookie of a session that begins, or takes it back from one that ends; nothing where the session stays. */
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
