import type { Caller, Site, ReceivedFiles } from "~/access/caller";
import { keyCaller, keyIn } from "~/access/api-keys.server";
import { cookieIdOf, createAuthenticator } from "~/access/authenticator.server";
import { bestEffortWrite } from "~/access/best-effort-write.server";
import { Refusal } from "~/access/refusal";
import { type Session, touchSession } from "~/access/sessions.server";
import type { Portal } from "~/portal.server";
import { deviceOf } from "~/text/device";

/** What a request carries from Express into Remix's loaders and actions. */
export interface PortalContext {
  portal: Portal;
  nonce: string;
  site: Site;
  address: string;
  /** The cookie may only travel over HTTPS. */
  secure: boolean;
  /** Remix's script asks, not the browser itself. Remix takes the mark out of the address before a loader sees it. */
  isScripted: boolean;
  /** Whether more of a large answer may be made; waits until the connection has drained. */
  waitForDrain(): Promise<boolean>;
  /** Sets another Content-Security-Policy for this answer than the pages have: two in one answer would both hold. */
  replacePolicy(policy: string): void;
  /** Runs something once the connection has taken the whole answer; not at all when it was cut before. */
  afterAnswer(work: () => Promise<void>): void;
  /** The request carries an API key: who asks is known by it alone, and no cookie is looked at. */
  isByKey: boolean;
  session(): Promise<Session | null>;
  caller(): Promise<Caller>;
  /** Of a form that was refused for too many attempts: Remix leaves an action's headers out of the page that it answers with. */
  retryAfterSeconds: number | undefined;
  /** The fields of the form that was sent, read before Remix; null for a request without one. */
  form: FormData | null;
  /** A form whose files were read to disk; null for one without files. */
  received: ReceivedForm | null;
}

export interface ReceivedForm {
  form: FormData;
  files: ReceivedFiles;
  /** A file that could not be stored ended the reading: fields that stood after it are missing. */
  isCut: boolean;
  /** What the staged files wait under. */
  formKey: string;
  /** Each staged file with its place among those of its field as they were sent: a list beside them may tell of each. */
  sent: { id: number; field: string; place: number }[];
}

declare module "@remix-run/server-runtime" {
  interface AppLoadContext extends PortalContext {}
}

/** The account poll is not activity of the person, so it does not prolong the session. */
const POLLED = new Set(["/management/konto", "/api/Account"]);

export function createContext(
  portal: Portal,
  request: {
    cookie: string | undefined;
    /** The header of that name, where a key may stand in it: below `/api`. */
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
    retryAfterSeconds: undefined,
    form: null,
    received: null,
    waitForDrain: request.waitForDrain,
    replacePolicy: request.replacePolicy,
    afterAnswer: request.afterAnswer,
    // Remix runs a page's loaders side by side; they share one look-up.
    session: () => (found ??= key === null ? findOnce() : Promise.resolve(null)),
    async caller() {
      if (key !== null) {
        // Memoised: each authentication counts as a call.
        calling ??= keyCaller(portal, key, request);
        return { ...(await calling), ...(context.received ? { files: context.received.files } : {}) };
      }
      const session = await context.session();
      const cookieId = session?.id ?? (await cookieIdOf(request.cookie, request.secure));
      return {
        actor: session?.person ?? { kind: "anonymous" },
        site: request.site,
        address: request.address,
        device: deviceOf(request.userAgent ?? ""),
        sessionId: session?.id ?? null,
        ...(cookieId === null ? {} : { cookieId }),
        ...(session ? { flash: session.flash } : {}),
        ...(context.received ? { files: context.received.files } : {}),
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
