import type { CompiledQuery } from "kysely";
import type { Db } from "~db/connection.server";

/** The same database, which notes every statement that is built through it, in order. */
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
