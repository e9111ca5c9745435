import { sessionCookie } from "~/access/authenticator.server";
import type { CommandResult } from "~/access/caller";

export async function appendSession(
  headers: Headers,
  session: CommandResult["session"],
  secure: boolean,
): Promise<void> {
  if (!session) return;
  const cookie = sessionCookie(secure);
  // A session cookie: the row holds the end, which moves with every use.
  headers.append(
    "Set-Cookie",
    session === "ended" ? await cookie.serialize("", { maxAge: 0 }) : await cookie.serialize(session.token),
  );
  // Clears local storage of older clients; signing out also clears cached pictures.
  headers.set("Clear-Site-Data", session === "ended" ? '"cache", "storage"' : '"storage"');
}
