import { type Kysely, sql } from "kysely";
import { fullName, nameTokens, searchKey, sortKey } from "../../app/text/names";
import { isDuplicate } from "../connection.server";

/** Letters that the keys of names used to keep, and by which nobody found them. */
const KEPT = [..."ıłđðħŧŋĸþßœ"];

/**
 * Rewrites the sort and search keys of names with letters that now fold into their base. A user name that is thereby the same as another's
 * keeps its key, since no two may share one; an admin gives that person a new user name.
 */
export async function up(db: Kysely<any>) {
  await rewrite(db, "user", ["name_sort", "name_norm", "user_name_norm"], async (row) => {
    const name = fullName({ first_name: String(row.first_name), last_name: String(row.last_name) });
    await update(db, "user", row.id, { name_sort: sortKey(name), name_norm: searchKey(name) });
    await update(db, "user", row.id, { user_name_norm: searchKey(String(row.user_name)) }).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
  });
  await rewrite(db, "clinic", ["name_sort", "name_norm"], (row) =>
    update(db, "clinic", row.id, { name_sort: sortKey(String(row.name)), name_norm: searchKey(String(row.name)) }),
  );
  await rewrite(db, "referral", ["name_sort"], async (row) => {
    const name = fullName({ first_name: String(row.first_name), last_name: String(row.last_name) });
    await update(db, "referral", row.id, { name_sort: sortKey(name) });
    await db.deleteFrom("referral_name_token").where("referral_id", "=", row.id).execute();
    const tokens = nameTokens(name).map((token) => ({ token, referral_id: row.id }));
    if (tokens.length > 0) await db.insertInto("referral_name_token").values(tokens).execute();
  });
}

type Row = { id: number } & Record<string, unknown>;

async function rewrite(
  db: Kysely<any>,
  table: string,
  keys: string[],
  write: (row: Row) => Promise<void>,
): Promise<void> {
  const rows = (await db
    .selectFrom(table)
    .selectAll()
    .where((eb) =>
      eb.or(keys.flatMap((key) => KEPT.map((letter) => sql<boolean>`${sql.ref(key)} like ${`%${letter}%`}`))),
    )
    .execute()) as Row[];
  for (const row of rows) await write(row);
}

async function update(db: Kysely<any>, table: string, id: number, values: Record<string, string>): Promise<void> {
  await db.updateTable(table).set(values).where("id", "=", id).execute();
}
