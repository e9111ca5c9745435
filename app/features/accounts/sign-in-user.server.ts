import type { Site } from "~/access/caller";
import { mayUseSite } from "~/access/authorise.server";
import type { DbOrTx } from "~db/connection.server";
import { findByEmail, findByUserName } from "./user-store.server";

/**
 * Whoever a user name belongs to, if they may use this site: on the public host a member of staff is as unknown as a name that nobody has, and
 * on the staff host so is everybody else. Undefined otherwise.
 */
export async function findSignInUser(db: DbOrTx, userName: string, site: Site) {
  const user = await findByUserName(db, userName);
  return user && mayUseSite({ kind: "person", roles: user.roles }, site) ? user : undefined;
}

/** Everybody with the address who may use this site. */
export async function findSignInUsersByEmail(db: DbOrTx, email: string, site: Site) {
  return (await findByEmail(db, email)).filter(({ roles }) => mayUseSite({ kind: "person", roles }, site));
}
