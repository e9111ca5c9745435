import { type Kysely, sql } from "kysely";
import type { Db } from "~db/connection.server";
import type { Database } from "~db/schema";

/** Rows that MariaDB reads for `work`, which uses the connection it is given. */
export function rowsVisited(db: Db, work: (db: Kysely<Database>) => Promise<unknown>): Promise<number> {
  return db.connection().execute(async (connection) => {
    const read = async () => {
      const { rows } = await sql<{
        Variable_name: string;
        Value: string;
      }>`show session status like 'Handler_read%'`.execute(connection);
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
    };
    const before = await read();
    const asking = await read();
    await work(connection);
    // Without the rows read by the counters themselves.
    return (await read()) - asking - (asking - before);
  });
}
