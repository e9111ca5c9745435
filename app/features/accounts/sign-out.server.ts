import { z } from "zod";
import { change } from "~/access/operation.server";
import { endSession } from "~/access/session-store.server";
import { MAX_SEALED_LENGTH } from "./sealed-input.server";

/** Ends this session. Someone whose session is already gone is signed out just the same. */
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
 * Ends this session at a form that somebody else has opened, so that they can sign in. `sealed`, what they typed, goes on into the sign-in form; null
 * where it could not be kept.
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
