import type { DbOrTx } from "~db/connection.server";
import { fullName } from "~/text/names";

/** The active surgeons by name; and one who is no longer active, where he is chosen already. */
export async function findSurgeons(
  db: DbOrTx,
  chosenId: number | null = null,
): Promise<{ id: number; name: string }[]> {
  const rows = await db
    .selectFrom("user")
    .innerJoin("user_role", (join) =>
      join.onRef("user_role.user_id", "=", "user.id").on("user_role.role", "=", "Surgeon"),
    )
    .select(["user.id", "user.first_name", "user.last_name"])
    .where((eb) => eb.or([eb("user.status", "=", 1), eb("user.id", "=", chosenId ?? 0)]))
    .orderBy("user.name_sort")
    .orderBy("user.id")
    .execute();
  return rows.map((row) => ({ id: row.id, name: fullName(row) }));
}
