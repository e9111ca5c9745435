import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** The columns that were encrypted when this was written; each text begins with the eight letters of its key's id. */
const ENCRYPTED = [
  ["referral", "cpr_encrypted"],
  ["typed_input", "values_encrypted"],
  ["appointment_import", "values_encrypted"],
  ["call_up", "content_encrypted"],
  ["appointment_letter", "content_encrypted"],
  ["outbox", "recipient_encrypted"],
  ["outbox", "content_encrypted"],
] as const;

/** Which secrets have encrypted text in this database, so that a start with another one is noticed before anything is read or written. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .plainTable("encryption_key")
    .addColumn("key_id", "varchar(8)", (c) => c.primaryKey())
    .addColumn("first_used_at", moment, (c) => c.notNull())
    .addColumn("lost_at", moment)
    .execute();
  const found = new Set<string>();
  for (const [table, column] of ENCRYPTED) {
    const { rows } = await sql<{
      key_id: string;
    }>`select distinct substr(${sql.ref(column)}, 1, 8) as key_id from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      db,
    );
    for (const { key_id } of rows) found.add(key_id);
  }
  const known = new Set(
    (await db.selectFrom("encryption_key").select("key_id").execute()).map((row) => row.key_id as string),
  );
  const now = new Date().toISOString().replace("T", " ").slice(0, 23);
  for (const key_id of found)
    if (/^[0-9a-f]{8}$/.test(key_id) && !known.has(key_id))
      await db.insertInto("encryption_key").values({ key_id, first_used_at: now, lost_at: null }).execute();
}
