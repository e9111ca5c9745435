import { createCookie } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { Strategy } from "remix-auth/strategy";
import type { Portal } from "~/portal.server";
import { Refusal } from "./refusal";
import { tokenHash } from "./secrets.server";
import { findSession, type Session } from "./sessions.server";

/** `__Host-session` over HTTPS; on plain-HTTP localhost browsers refuse that name, so there it is `session`. */
export function sessionCookie(secure: boolean) {
  return createCookie(secure ? "__Host-session" : "session", { httpOnly: true, secure, sameSite: "lax", path: "/" });
}

/** SHA-256 of the token in a Cookie header, whether its session lives or not; null without one. */
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

/** Identifies the sender of a request, by remix-auth. Signing in itself is an operation (`features/accounts/sign-in.server.ts`). */
export function createAuthenticator(portal: Portal, secure: boolean): Authenticator<Session> {
  return new Authenticator<Session>().use(
    new SessionCookieStrategy(sessionCookie(secure), async ({ token }) => {
      const session = await findSession(portal.db, token, portal.clock.now(), portal.config.secondFactor);
      if (session === null) throw new Refusal("notSignedIn");
      return session;
    }),
  );
}
