import { z } from "zod";
import { change } from "~/access/operation.server";
import { endSession } from "~/access/session-store.server";

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
