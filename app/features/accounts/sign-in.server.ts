import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { asksForCode, readProof, consumeProof } from "~/features/second-factor/check-code.server";
import type { DbOrTx } from "~db/connection.server";
import { searchKey } from "~/text/names";
import { cleanLine } from "~/text/normalise";
import { completeSignIn } from "./complete-sign-in.server";
import { verifyPassword } from "./password-hash.server";
import { returnPath } from "./return-path.schema.server";
import { MAX_SEALED_LENGTH } from "./sealed-input.server";
import { countSignIn, clearFailedSignIns } from "./sign-in-limits.server";
import { sealStep } from "./sign-in-step.server";
import { findSignInUser } from "./sign-in-user.server";
import { findUserName } from "./store.server";

/** Text for the owner of a merged account, shown after the right password. */
const mergedText = async (db: DbOrTx, userId: number) =>
  `Din profil er samlet med ${await findUserName(db, userId)}. Log ind med det brugernavn.`;

/**
 * Signs a person in; users of the other site are unknown here. With a second factor `data.step` continues at
 * `confirmSignIn` and no session begins. Throws `wrongCredentials`, `wrongCode` and `tooManyAttempts`.
 */
export const signIn = external({
  name: "signIn",
  permission: "public",
  input: z.object({
    userName: z.string({ error: "Skriv dit brugernavn." }).overwrite(cleanLine).max(100),
    password: z.string({ error: "Skriv din adgangskode." }).max(200),
    /** Sent by callers that know it already, such as the API. */
    code: z.string().max(40).optional(),
    to: returnPath,
    sealed: z.string().max(MAX_SEALED_LENGTH).optional().catch(undefined),
  }),
  async prepare({ portal, caller, db, concerns, now }, input) {
    const account = searchKey(input.userName);
    concerns({ account });
    const user = await findSignInUser(db, input.userName, caller.site);
    await countSignIn(portal, caller, { account, userId: user?.id ?? null });
    const matches = await verifyPassword(user?.password_hash ?? null, input.password);
    if (user) concerns({ userId: user.id });
    if (user && matches && user.merged_into_id !== null)
      throw new Refusal("wrongCredentials", { text: await mergedText(db, user.merged_into_id) });
    if (!user || !matches || user.status !== 1) throw new Refusal("wrongCredentials");
    await clearFailedSignIns(portal, caller, account);
    if (!(await asksForCode(portal, user))) return { user, proof: null, needsCode: false };
    if (!input.code?.trim()) return { user, proof: null, needsCode: true };
    const proof = await readProof(portal, user.id, input.code, now);
    return { user, proof, needsCode: false };
  },
  async run(context, { to, sealed = null }, { user, proof, needsCode }) {
    const { tx, now, portal, auditChange } = context;
    if (needsCode) {
      auditChange([], "the code is asked for");
      return { data: { step: sealStep(portal.secrets, { userId: user.id, to }, user.password_hash, now) } };
    }
    if (proof) await consumeProof(tx, portal, proof, now);
    return completeSignIn(context, user, { to, sealed });
  },
});
