import { createCookie } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { Strategy } from "remix-auth/strategy";
import type { Portal } from "~/portal.server";
import { Refusal } from "./refusal";
import { tokenHash } from "./secrets.server";
import { findSession, type Session } from "./sessions.server";

/**
 * A cookie of this host alone, so that no other host of the domain can set it: `__Host-…` over HTTPS. On plain-HTTP localhost browsers refuse
 * that name, so there it has none of the prefix.
 */
export function hostCookie(name: string, secure: boolean) {
  return createCookie(secure ? `__Host-${name}` : name, { httpOnly: true, secure, sameSite: "lax", path: "/" });
}

export const sessionCookie = (secure: boolean) => hostCookie("session", secure);

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
      const session = await findSession(portal, token, portal.clock.now(), portal.config.secondFactor);
      if (session === null) throw new Refusal("notSignedIn");
      return session;
    }),
  );
}
