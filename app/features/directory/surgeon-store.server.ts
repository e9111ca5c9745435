import type { DbOrTx } from "~db/connection.server";

/** Active surgeons by name, plus the chosen one if inactive. */
export function findSurgeonRows(db: DbOrTx, chosenId: number | null) {
  return db
    .selectFrom("user")
    .innerJoin("user_role", (join) =>
      join.onRef("user_role.user_id", "=", "user.id").on("user_role.role", "=", "Surgeon"),
    )
    .select(["user.id", "user.first_name", "user.last_name", "user.email"])
    .where((eb) => eb.or([eb("user.status", "=", 1), eb("user.id", "=", chosenId ?? 0)]))
    .orderBy("user.name_sort")
    .orderBy("user.id")
    .execute();
}
