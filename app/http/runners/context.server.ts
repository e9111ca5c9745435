import type { Caller, Site, ReceivedFiles } from "~/access/caller";
import { keyCaller, keyIn } from "~/access/api-keys.server";
import { cookieIdOf, createAuthenticator } from "~/access/authenticator.server";
import { bestEffortWrite } from "~/access/best-effort-write.server";
import { Refusal } from "~/access/refusal";
import { type Session, touchSession } from "~/access/sessions.server";
import type { Portal } from "~/portal.server";
import { deviceOf } from "~/text/device";

export interface PortalContext {
  portal: Portal;
  nonce: string;
  site: Site;
  address: string;
  secure: boolean;
  isScripted: boolean;
  waitForDrain(): Promise<boolean>;
  /** Replaces the Content-Security-Policy of this answer; two would both apply. */
  replacePolicy(policy: string): void;
  /** Runs work once the answer is sent completely; not if it was aborted. */
  afterAnswer(work: () => Promise<void>): void;
  isByKey: boolean;
  session(): Promise<Session | null>;
  caller(): Promise<Caller>;
  /** For Retry-After, because Remix drops an action's headers from the rendered page. */
  retryAfter: { seconds: number | undefined };
  /** Form fields, read before Remix; null without a form. */
  form: FormData | null;
  received: ReceivedForm | null;
}

export interface ReceivedForm {
  form: FormData;
  files: ReceivedFiles;
  isCut: boolean;
  formKey: string;
  sent: { id: number; field: string; place: number }[];
}

declare module "@remix-run/server-runtime" {
  interface AppLoadContext extends PortalContext {}
}

/** Polls are no activity and do not prolong the session. */
const POLLED = new Set(["/management/konto", "/api/Account"]);

export function createContext(
  portal: Portal,
  request: {
    cookie: string | undefined;
    authorization: string | undefined;
    userAgent: string | undefined;
    path: string;
    nonce: string;
    site: Site;
    address: string;
    secure: boolean;
    isScripted: boolean;
    waitForDrain(): Promise<boolean>;
    replacePolicy(policy: string): void;
    afterAnswer(work: () => Promise<void>): void;
  },
): PortalContext {
  let found: Promise<Session | null> | undefined;
  let calling: Promise<Caller> | undefined;
  const key = keyIn(request.authorization);
  const context: PortalContext = {
    portal,
    nonce: request.nonce,
    site: request.site,
    address: request.address,
    secure: request.secure,
    isScripted: request.isScripted,
    isByKey: key !== null,
    retryAfter: { seconds: undefined },
    form: null,
    received: null,
    waitForDrain: request.waitForDrain,
    replacePolicy: request.replacePolicy,
    afterAnswer: request.afterAnswer,
    session: () => (found ??= key === null ? findOnce() : Promise.resolve(null)),
    async caller() {
      if (key !== null) {
        // Memoised: each authentication counts as a call.
        calling ??= keyCaller(portal, key, request);
        return { ...(await calling), files: context.received?.files };
      }
      const session = await context.session();
      const cookieId = session?.id ?? (await cookieIdOf(request.cookie, request.secure));
      return {
        actor: session?.person ?? { kind: "anonymous" },
        site: request.site,
        address: request.address,
        device: deviceOf(request.userAgent ?? ""),
        sessionId: session?.id ?? null,
        cookieId: cookieId ?? undefined,
        flash: session?.flash,
        files: context.received?.files,
      };
    },
  };
  async function findOnce(): Promise<Session | null> {
    if (!request.cookie) return null;
    const cookieRequest = new Request("http://portal.invalid/", { headers: { Cookie: request.cookie } });
    try {
      const session = await createAuthenticator(portal, request.secure).authenticate("session", cookieRequest);
      if (!POLLED.has(request.path))
        await bestEffortWrite(portal, "session touched", () => touchSession(portal.db, session, portal.clock.now()));
      return session;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }
  return context;
}
