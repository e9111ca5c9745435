import { z } from "zod";
import { change } from "~/access/operation.server";
import { endSession } from "~/access/session-store.server";
import { MAX_SEALED_LENGTH } from "./sealed-input.server";

/** Ends this session; succeeds also when it has ended already. */
export const signOut = change({
  name: "signOut",
  permission: "public",
  input: z.object({}),
  async run({ tx, caller }) {
    if (caller.sessionId !== null) await endSession(tx, caller.sessionId);
    return { session: "ended" as const, to: "/login" };
  },
});

/**
 * Ends this session at another person's form so that its owner can sign in. `sealed` carries the owner's text into the
 * sign-in form; null if it could not be kept.
 */
export const signOutForOpener = change({
  name: "signOutForOpener",
  permission: "public",
  input: z.object({ sealed: z.string().max(MAX_SEALED_LENGTH).optional().catch(undefined) }),
  async run({ tx, caller }, { sealed = null }) {
    if (caller.sessionId !== null) await endSession(tx, caller.sessionId);
    return { session: "ended" as const, data: { sealed } };
  },
});
