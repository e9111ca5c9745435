import type { Tx } from "~db/connection.server";
import { rewriteUserTokens } from "~/features/accounts/account-administration.server";
import { rewriteClinicTokens } from "~/features/directory/find-clinic.server";
import { toMoment } from "~/text/dates";
import { searchKey, sortKey } from "~/text/names";
import { chosenColumns } from "./chosen-columns";
import type { MergeKind } from "./merged-columns";

export type WinnerValues = Record<string, string | number | null>;

/** Present values of the columns a merge chooses, including a user's roles. */
export async function findWinnerValues(tx: Tx, kind: MergeKind, id: number): Promise<WinnerValues> {
  const row = await tx
    .selectFrom(kind)
    .select(chosenColumns[kind] as unknown as ["email"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (kind === "clinic") return row;
  const roles = await tx.selectFrom("user_role").select("role").where("user_id", "=", id).orderBy("role").execute();
  return { ...row, roles: roles.map(({ role }) => role).join() };
}

export async function restoreWinner(tx: Tx, kind: MergeKind, id: number, values: WinnerValues, now: Date) {
  const { roles, ...columns } = values;
  await tx
    .updateTable(kind)
    .set((eb) => ({ ...columns, modified_at: toMoment(now), version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
  if (kind === "user" && roles !== undefined) {
    await tx.deleteFrom("user_role").where("user_id", "=", id).execute();
    const each = String(roles).split(",");
    await tx
      .insertInto("user_role")
      .values(each.map((role) => ({ user_id: id, role })))
      .execute();
  }
  const name = await nameOf(tx, kind, id);
  await tx
    .updateTable(kind)
    .set({ name_sort: sortKey(name), name_norm: searchKey(name) })
    .where("id", "=", id)
    .execute();
  await (kind === "user" ? rewriteUserTokens(tx, id) : rewriteClinicTokens(tx, id));
}

async function nameOf(tx: Tx, kind: MergeKind, id: number): Promise<string> {
  if (kind === "clinic")
    return (await tx.selectFrom("clinic").select("name").where("id", "=", id).executeTakeFirstOrThrow()).name;
  const user = await tx
    .selectFrom("user")
    .select(["first_name", "last_name"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return `${user.first_name} ${user.last_name}`;
}
