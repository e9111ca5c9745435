import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Db, DbOrTx } from "./connection.server";

/** Stands in a query for a value that is given when it runs. */
class Parameter {
  constructor(readonly name: string) {}
}

/**
 * A query that every request asks: put together once for each database, since that costs more than answering it. `build` gets a
 * function that names what is given at each run; all else in it is fixed.
 */
export function preparedQuery<O>(
  build: (db: DbOrTx, given: (name: string) => RawBuilder<string>) => SelectQueryBuilder<any, any, O>,
) {
  const compiled = new WeakMap<object, CompiledQuery<O>>();
  return async (db: Db, values: Record<string, string>): Promise<O[]> => {
    const query = compiled.get(db) ?? build(db, (name) => sql`${new Parameter(name)}`).compile();
    compiled.set(db, query);
    const parameters = query.parameters.map((value) => (value instanceof Parameter ? values[value.name] : value));
    return (await db.executeQuery<O>({ ...query, parameters })).rows;
  };
}
