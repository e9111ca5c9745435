import type { DbOrTx } from "~db/connection.server";
import { nameTokens } from "~/text/names";

/** Rewrites a user's search words: name, user name, e-mail and Henviser id. */
export async function rewriteUserTokens(db: DbOrTx, id: number): Promise<void> {
  const user = await db
    .selectFrom("user")
    .select(["first_name", "last_name", "user_name", "email", "dentist_external_id"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const tokens = new Set(Object.values(user).flatMap((text) => nameTokens(text ?? "")));
  await db.deleteFrom("user_search_token").where("user_id", "=", id).execute();
  if (tokens.size > 0)
    await db
      .insertInto("user_search_token")
      .values([...tokens].map((token) => ({ token, user_id: id })))
      .execute();
}
