import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { beginSession } from "~/access/sessions.server";
import { endSession } from "~/access/session-store.server";
import { verifyPassword } from "./password-hash.server";
import { rememberAddress } from "~/access/known-address-store.server";
import { addressHash, countSignIn, forgetSignIns } from "./sign-in-limits.server";
import { findSignInUser } from "./sign-in-user.server";
import { findUserName } from "./user-store.server";
import type { DbOrTx } from "~db/connection.server";
import { searchKey } from "~/text/names";
import { returnPath } from "./return-path.schema.server";
import { LONGEST_SEAL, restoreSealed } from "./sealed-input.server";

/** What is said to whom a merged account belonged, once the right password has shown that they are who they say. */
const mergedText = async (db: DbOrTx, userId: number) =>
  `Din profil er samlet med ${await findUserName(db, userId)}. Log ind med det brugernavn.`;

/** Signs a person in; on a site that is not theirs they are unknown. Throws `wrongCredentials` and `tooManyAttempts`. */
export const signIn = external({
  name: "signIn",
  permission: "public",
  input: z.object({
    userName: z.string({ error: "Skriv dit brugernavn." }).max(100),
    password: z.string({ error: "Skriv din adgangskode." }).max(200),
    to: returnPath,
    sealed: z.string().max(LONGEST_SEAL).optional().catch(undefined),
  }),
  async prepare({ portal, caller, db, concerns }, input) {
    const account = searchKey(input.userName);
    concerns({ account });
    const user = await findSignInUser(db, input.userName, caller.site);
    await countSignIn(portal, caller, { account, userId: user?.id ?? null });
    const matches = await verifyPassword(user?.password_hash ?? null, input.password);
    if (user) concerns({ userId: user.id });
    if (user && matches && user.merged_into_id !== null)
      throw new Refusal("wrongCredentials", { text: await mergedText(db, user.merged_into_id) });
    if (!user || !matches || user.status !== 1) throw new Refusal("wrongCredentials");
    await forgetSignIns(portal, caller, account);
    return user;
  },
  async run({ tx, now, portal, caller }, input, user) {
    const restored = input.sealed ? restoreSealed(portal.secrets, user.id, input.sealed, now) : null;
    // The cookie is about to be overwritten: nobody could end the former session any more.
    if (caller.sessionId !== null) await endSession(tx, caller.sessionId);
    await rememberAddress(tx, user.id, addressHash(portal, caller), now);
    const session = await beginSession(tx, user, now, restored ? input.sealed! : null);
    return { session, to: restored?.path ?? input.to };
  },
});
