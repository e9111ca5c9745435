import { sql } from "kysely";
import { isMysql } from "~db/connection.server";
import type { TestPortal } from "./test-portal";

/** Makes the database refuse rows until the returned function is called. @param row condition on `old` or `new` */
export async function refusing(
  { db }: Pick<TestPortal, "db">,
  event: "insert" | "update" | "delete",
  table: string,
  row: string,
): Promise<() => Promise<void>> {
  const name = `refusing_${event}_${table}`;
  const body = isMysql(db)
    ? `for each row begin if ${row} then signal sqlstate '45000' set message_text = 'on purpose'; end if; end`
    : `when ${row} begin select raise(abort, 'on purpose'); end`;
  await sql`create trigger ${sql.ref(name)} before ${sql.raw(event)} on ${sql.table(table)} ${sql.raw(body)}`.execute(
    db,
  );
  return async () => {
    await sql`drop trigger ${sql.ref(name)}`.execute(db);
  };
}
