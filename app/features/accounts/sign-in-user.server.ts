import type { Site } from "~/access/caller";
import { mayUseSite } from "~/access/authorise.server";
import type { DbOrTx } from "~db/connection.server";
import { findByEmail, findByUserName } from "./store.server";

/** Finds a user who may use this site. On the public host staff are as unknown as a missing name, and vice versa. */
export async function findSignInUser(db: DbOrTx, userName: string, site: Site) {
  const user = await findByUserName(db, userName);
  return user && mayUseSite({ kind: "person", roles: user.roles }, site) ? user : undefined;
}

export async function findSignInUsersByEmail(db: DbOrTx, email: string, site: Site) {
  return (await findByEmail(db, email)).filter(({ roles }) => mayUseSite({ kind: "person", roles }, site));
}
