import { type Kysely } from "kysely";
import { nameTokens } from "../../app/text/names";
import { ddl } from "../ddl.server";

/** The lists of users and clinics: the words that each is found by, and an index for each order within a status. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await tokenTable("user_search_token", "user_id");
  await tokenTable("clinic_search_token", "clinic_id");
  await d.index("user_by_created", "user", ["status", "created_at"]);
  await d.index("user_by_status_and_user_name", "user", ["status", "user_name_norm"]);
  await d.index("user_by_dentist_id_and_created", "user", ["dentist_external_id", "status", "created_at"]);
  await d.index("user_by_dentist_id_and_user_name", "user", ["dentist_external_id", "status", "user_name_norm"]);
  await d.index("clinic_by_modified", "clinic", ["status", "modified_at"]);
  await db.updateTable("user").set({ dentist_external_id: null }).where("dentist_external_id", "=", "").execute();
  await tokensOf("user", ["first_name", "last_name", "user_name", "email", "dentist_external_id"]);
  await tokensOf("clinic", ["name", "city", "zip", "email", "phone"]);

  async function tokenTable(table: string, reference: string): Promise<void> {
    await d
      .plainTable(table)
      .addColumn("token", "varchar(60)", (c) => c.notNull())
      .addColumn(reference, d.reference, (c) => c.notNull())
      .addPrimaryKeyConstraint(`${table}_pk`, ["token", reference as never])
      .execute();
    await d.index(`${table}_by_row`, table, [reference]);
  }

  async function tokensOf(table: "user" | "clinic", columns: string[]): Promise<void> {
    const [name, reference] = [`${table}_search_token`, `${table}_id`];
    // Run again after it broke half-way, it begins anew.
    await db.deleteFrom(name).execute();
    for (let after = 0; ;) {
      const rows = await db
        .selectFrom(table)
        .select(["id", ...columns])
        .where("id", ">", after)
        .orderBy("id")
        .limit(500)
        .execute();
      if (rows.length === 0) return;
      const tokens = rows.flatMap((row) =>
        [...new Set(columns.flatMap((column) => nameTokens(String(row[column] ?? ""))))].map((token) => ({
          token,
          [reference]: row.id as number,
        })),
      );
      if (tokens.length > 0) await db.insertInto(name).values(tokens).execute();
      after = rows.at(-1)!.id as number;
    }
  }
}
