import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { asksForCode, readProof, recoveryNotice, consumeProof } from "~/features/second-factor/check-code.server";
import { mayUseSite } from "~/access/authorise.server";
import { tokenHash } from "~/access/secrets.server";
import { addFlash } from "~/access/sessions.server";
import { completeSignIn } from "./complete-sign-in.server";
import { MAX_SEALED_LENGTH } from "./sealed-input.server";
import { openStep } from "./sign-in-step.server";
import { findAccount } from "./user-store.server";

/**
 * The second sign-in step: a code of the app or a recovery code begins the session. Throws `signInExpired` if the first
 * step is too old or the password has changed, `wrongCode` (also for a used one) and `tooManyAttempts`.
 */
export const confirmSignIn = external({
  name: "confirmSignIn",
  permission: "public",
  input: z.object({
    step: z.string().max(4000),
    code: z.string({ error: "Skriv koden." }).trim().min(1, "Skriv koden.").max(40),
    sealed: z.string().max(MAX_SEALED_LENGTH).optional().catch(undefined),
  }),
  async prepare({ portal, caller, db, concerns, now }, { step: sealed, code }) {
    const step = openStep(portal.secrets, sealed, now);
    const user = step && (await findAccount(db, step.userId).catch(() => null));
    if (!step || !user || user.status !== 1 || !step.isStill(user.password_hash)) throw new Refusal("signInExpired");
    concerns({ userId: user.id });
    const mayEnter = mayUseSite({ kind: "person", roles: user.roles }, caller.site);
    if (!mayEnter || !(await asksForCode(portal, user))) throw new Refusal("signInExpired");
    const proof = await readProof(portal, user.id, code, now);
    return { step, user, proof };
  },
  async run(context, { sealed = null }, { step, user, proof }) {
    const { tx, now, portal } = context;
    await consumeProof(tx, portal, proof, now);
    const entered = await completeSignIn(context, user, { to: step.to, sealed });
    const text = await recoveryNotice(tx, proof);
    if (text !== null)
      await addFlash(tx, portal.secrets, {
        sessionId: tokenHash(entered.session.token),
        flash: { tone: "info", text },
      });
    return entered;
  },
});
