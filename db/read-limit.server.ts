import {
  type CompiledQuery,
  type KyselyPlugin,
  MysqlAdapter,
  MysqlQueryCompiler,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  RawNode,
  type RootOperationNode,
  SelectModifierNode,
  SelectQueryNode,
} from "kysely";
import type { Db } from "./connection.server";
import { databaseName } from "./names.server";

/** Seconds that the database may spend on one statement of a page. */
const READ_SECONDS = 5;

/**
 * The same database, whose selects MariaDB and MySQL end after five seconds, so that none outlives its reader. SQLite
 * cannot end a statement: there the plans themselves are bounded. For reads only: a transaction of this database would
 * skip the work that `beforeCommit` runs.
 */
export function limitedReads(db: Db): Db {
  if (!(db.getExecutor().adapter instanceof MysqlAdapter)) return db;
  let limited = known.get(db);
  if (limited === undefined) known.set(db, (limited = db.withPlugin(new ReadLimit())));
  return limited;
}

const known = new WeakMap<Db, Db>();

/** ER_STATEMENT_TIMEOUT of MariaDB, which mysql2 has no name for, and ER_QUERY_TIMEOUT of MySQL. */
const TIMED_OUT = new Set<unknown>([1969, 3024]);

export const isOverReadLimit = (error: unknown): boolean =>
  error instanceof Error && "errno" in error && TIMED_OUT.has(error.errno);

const HINT = `/*+ max_execution_time(${READ_SECONDS * 1000}) */`;
const hint = SelectModifierNode.createWithExpression(RawNode.createWithSql(HINT));

/** Marks every select with MySQL's hint. MariaDB ignores it as a comment; `PortalMysqlCompiler` adds its limit. */
class ReadLimit implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs) {
    return SelectQueryNode.is(node) ? SelectQueryNode.cloneWithFrontModifier(node, hint) : node;
  }
  transformResult = async ({ result }: PluginTransformResultArgs) => result;
}

/** Writes the database's names, and MariaDB's limit in marked statements; MySQL ignores it as a comment. */
export class PortalMysqlCompiler extends MysqlQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(databaseName(name));
  }

  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const query = super.compileQuery(node, queryId);
    if (!query.sql.includes(HINT)) return query;
    return { ...query, sql: `/*M! set statement max_statement_time=${READ_SECONDS} for */ ${query.sql}` };
  }
}
