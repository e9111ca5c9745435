import { createCookie } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { Strategy } from "remix-auth/strategy";
import type { Portal } from "~/portal.server";
import { Refusal } from "./refusal";
import { tokenHash } from "./secrets.server";
import { findSession, type Session } from "./sessions.server";
import type { CommandResult } from "./caller";

/**
 * Restricts the cookie to this host (`__Host-`), so that no other host of the domain can set it. Browsers refuse that
 * prefix on plain-HTTP localhost.
 */
export function hostCookie(name: string, secure: boolean) {
  return createCookie(secure ? `__Host-${name}` : name, { httpOnly: true, secure, sameSite: "lax", path: "/" });
}

export const sessionCookie = (secure: boolean) => hostCookie("session", secure);

/** SHA-256 of the token in a Cookie header, also of an expired session; null without one. */
export async function cookieIdOf(header: string | undefined, secure: boolean): Promise<string | null> {
  const token: unknown = header === undefined ? null : await sessionCookie(secure).parse(header);
  return typeof token === "string" && token !== "" ? tokenHash(token) : null;
}

class SessionCookieStrategy extends Strategy<Session, { token: string }> {
  override name = "session";
  constructor(
    private readonly cookie: ReturnType<typeof sessionCookie>,
    verify: (options: { token: string }) => Promise<Session>,
  ) {
    super(verify);
  }
  override async authenticate(request: Request): Promise<Session> {
    const token: unknown = await this.cookie.parse(request.headers.get("Cookie"));
    if (typeof token !== "string" || token === "") throw new Refusal("notSignedIn");
    return this.verify({ token });
  }
}

/**
 * Identifies the sender of a request through remix-auth. Signing in is an operation
 * (`features/accounts/sign-in.server.ts`).
 */
export function createAuthenticator(portal: Portal, secure: boolean): Authenticator<Session> {
  return new Authenticator<Session>().use(
    new SessionCookieStrategy(sessionCookie(secure), async ({ token }) => {
      const session = await findSession(portal, token, portal.clock.now(), portal.config.secondFactor);
      if (session === null) throw new Refusal("notSignedIn");
      return session;
    }),
  );
}

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
