import type { MysqlPool, MysqlPoolConnection, MysqlQueryResult, MysqlStreamOptions } from "kysely";
import type { FieldPacket, Pool, PoolConnection, QueryError } from "mysql2";
import { type Row, rowReader } from "./row-reader.server";

/** mysql2's pool as Kysely uses it, whose rows have the names that tables and columns have in code. */
export function readingPool(pool: Pool): MysqlPool {
  const known = new WeakMap<PoolConnection, ReadingConnection>();
  return {
    getConnection(callback) {
      pool.getConnection((error, connection) => {
        if (error) return callback(error, undefined as never);
        // Kysely prepares a connection once, and knows it by its object.
        const reading = known.get(connection) ?? new ReadingConnection(connection);
        known.set(connection, reading);
        callback(null, reading);
      });
    },
    end: (callback) => pool.end(callback),
  };
}

class ReadingConnection implements MysqlPoolConnection {
  readonly #connection: PoolConnection;

  constructor(connection: PoolConnection) {
    this.#connection = connection;
  }

  query(sql: string, values: unknown[]): ReturnType<typeof streamed>;
  query(sql: string, values: unknown[], callback: (error: unknown, result: MysqlQueryResult) => void): void;
  query(sql: string, values: unknown[], callback?: (error: unknown, result: MysqlQueryResult) => void) {
    const query = { sql, values, rowsAsArray: true };
    if (!callback) return streamed(this.#connection, query);
    this.#connection.query(query, (error: QueryError | null, result: unknown, fields?: FieldPacket[]) =>
      callback(error, (fields ? (result as unknown[][]).map(readerOf(fields)) : result) as MysqlQueryResult),
    );
  }

  release(): void {
    this.#connection.release();
  }
}

const readerOf = (fields: FieldPacket[]) => rowReader(fields.map(({ name }) => name));

function streamed(connection: PoolConnection, query: { sql: string; values: unknown[]; rowsAsArray: boolean }) {
  return {
    async *stream<T>(options: MysqlStreamOptions): AsyncIterableIterator<T> {
      const asked = connection.query(query);
      let read: (values: unknown[]) => Row = rowReader([]);
      asked.on("fields", (fields: FieldPacket[]) => (read = readerOf(fields)));
      for await (const values of asked.stream(options)) yield read(values as unknown[]) as T;
    },
  };
}
