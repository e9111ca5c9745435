import type { CompiledQuery } from "kysely";
import type { Db } from "~db/connection.server";

/** A database that records every statement built through it. */
export function recordStatements(db: Db): { db: Db; recorded: CompiledQuery[] } {
  const recorded: CompiledQuery[] = [];
  const recording = db.withPlugin({
    transformQuery({ node, queryId }) {
      recorded.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { db: recording, recorded };
}
