import { sql } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import { nameTokens } from "~/text/names";

/** A table with a row for each word by which the rows of a list are found. */
interface TokenTable {
  table: string;
  /** Its column that holds the number of the row. */
  reference: string;
  /** The row's own, as the list's query names it. */
  id: string;
}

/** The upper bound of a prefix: no character sorts after it. */
export const END_OF_PREFIX = "\uffff";

/** With more matching rows than this the list is scanned in its order: the next match is never far. */
const COMMON = 2000;

/**
 * How the rows with every word of a text are found. An array: the ids of all of them, since they are few. `scanInOrder`: the list is scanned in
 * its order and the words are checked for each row. Undefined: each word is looked up by itself.
 */
export type NameMatch = readonly number[] | "scanInOrder";

/** Finds rows by the beginnings of words, in any order (docs/decisions/0030). */
export function tokenSearch({ table, reference, id }: TokenTable) {
  const [tokens, row, own] = [sql.table(table), sql.ref(`${table}.${reference}`), sql.ref(id)];
  const begins = (word: string, of = table) =>
    sql`${sql.ref(`${of}.token`)} >= ${word} and ${sql.ref(`${of}.token`)} < ${word + END_OF_PREFIX}`;
  const isFound = (word: string) => sql<boolean>`${own} in (select ${row} from ${tokens} where ${begins(word)})`;
  // The limit keeps the database from rewriting it as the `in` query above.
  const hasWord = (word: string) =>
    sql<boolean>`(select ${row} from ${tokens} where ${row} = ${own} and ${begins(word)} limit 1) is not null`;
  /** A row's id, once for each combination of its words that matches; at most `max`. */
  const withAll = ([first, ...others]: string[], max: number) => {
    const joined = others.map(
      (word, index) =>
        sql`inner join ${tokens} as ${sql.ref(`other_${index}`)} on ${sql.ref(`other_${index}.${reference}`)} = ${row} and ${begins(word, `other_${index}`)}`,
    );
    return sql<{ id: number }>`
      select ${row} as id from ${tokens} ${sql.join(joined, sql` `)} where ${begins(first!)} limit ${sql.lit(max)}`;
  };
  return {
    /** Rows with every word of the text. */
    where(text: string, match?: NameMatch) {
      if (match?.length === 0) return sql<boolean>`1 = 0`;
      // Written out: a list in parts asks for them in each, and SQLite takes no more than 32,766 values.
      if (Array.isArray(match)) return sql<boolean>`${own} in (${sql.join(match.map((each) => sql.lit(each)))})`;
      const hasEach = nameTokens(text).map(match === "scanInOrder" ? hasWord : isFound);
      return sql<boolean>`(${sql.join(hasEach, sql` and `)})`;
    },
    async findMatch(db: DbOrTx, text: string): Promise<NameMatch> {
      const { rows } = await withAll(nameTokens(text), COMMON + 1).execute(db);
      return rows.length > COMMON ? "scanInOrder" : [...new Set(rows.map((found) => found.id))];
    },
  };
}
