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

/** Seconds that the database spends on one statement of a page's reads. */
const READ_SECONDS = 5;

/**
 * The same database, whose selects MariaDB and MySQL end after five seconds, so that none goes on when its reader has long left. SQLite cannot
 * end a statement: there the plans themselves are bounded. For reads only: a transaction of this database would not be followed by what is
 * kept beside its rows.
 */
export function limitedReads(db: Db): Db {
  if (!(db.getExecutor().adapter instanceof MysqlAdapter)) return db;
  let limited = known.get(db);
  if (limited === undefined) known.set(db, (limited = db.withPlugin(new ReadLimit())));
  return limited;
}

const known = new WeakMap<Db, Db>();

/** ER_STATEMENT_TIMEOUT of MariaDB and ER_QUERY_TIMEOUT of MySQL, the first of which mysql2 does not know by name. */
const TIMED_OUT = new Set<unknown>([1969, 3024]);

/** The database ended a statement that had taken too long. */
export const isOverReadLimit = (error: unknown): boolean =>
  error instanceof Error && "errno" in error && TIMED_OUT.has(error.errno);

const HINT = `/*+ max_execution_time(${READ_SECONDS * 1000}) */`;
const hint = SelectModifierNode.createWithExpression(RawNode.createWithSql(HINT));

/** Marks every select with MySQL's hint; MariaDB, which takes it as a comment, is told by `LimitingMysqlCompiler`. */
class ReadLimit implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs) {
    return SelectQueryNode.is(node) ? SelectQueryNode.cloneWithFrontModifier(node, hint) : node;
  }
  transformResult = async ({ result }: PluginTransformResultArgs) => result;
}

/** Puts MariaDB's limit before what is marked; MySQL takes that as a comment. */
export class LimitingMysqlCompiler extends MysqlQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const query = super.compileQuery(node, queryId);
    if (!query.sql.includes(HINT)) return query;
    return { ...query, sql: `/*M! set statement max_statement_time=${READ_SECONDS} for */ ${query.sql}` };
  }
}
