import { sql } from "kysely";
import { type DbOrTx, isMysql, type Tx } from "~db/connection.server";
import type { Role } from "~/access/actor";
import type { Period } from "./period";

export interface PageView {
  day: string;
  page: string;
  role: Role;
  n: number;
}

/** Adds to the counters in key order, which avoids deadlocks. */
export async function addPageViews(tx: Tx, views: PageView[]): Promise<void> {
  const rows = [...views].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const insert = tx.insertInto("page_view").values(rows);
  await (
    isMysql(tx)
      ? insert.onDuplicateKeyUpdate({ n: sql`n + values(n)` })
      : insert.onConflict((conflict) =>
          conflict.columns(["day", "page", "role"]).doUpdateSet({ n: sql`page_view.n + excluded.n` }),
        )
  ).execute();
}

const keyOf = ({ day, page, role }: PageView) => JSON.stringify([day, page, role]);

/** Views per page and role in a period. */
export async function countPageViews(db: DbOrTx, { from, to }: Period): Promise<Omit<PageView, "day">[]> {
  const rows = await db
    .selectFrom("page_view")
    .select((eb) => ["page", eb.ref("role").$castTo<Role>().as("role"), eb.fn.sum<number>("n").as("n")])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy(["page", "role"])
    .orderBy("page")
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}
