import { sql } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import { searchedWords } from "~/text/names";

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

/** Of several words, so many rows of each are counted to find the rarest. */
const MAX_WEIGHED = 20_000;

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
  const hasWord = (word: string, of = own) =>
    sql<boolean>`(select ${sql.ref(`other.${reference}`)} from ${tokens} as ${sql.ref("other")}
      where ${sql.ref(`other.${reference}`)} = ${of} and ${begins(word, "other")} limit 1) is not null`;
  /** The ids of at most `max` rows with each of the words. A row's other words are asked for, not joined: a join has a row for each combination of words that match. */
  const withAll = ([first, ...others]: string[], max: number) => {
    const conditions = [begins(first!), ...others.map((word) => hasWord(word, row))];
    return sql<{ id: number }>`
      select distinct ${row} as id from ${tokens} where ${sql.join(conditions, sql` and `)} limit ${sql.lit(max)}`;
  };
  /** The words, that which the fewest rows have first: the others are asked for each of its rows. */
  const rarestFirst = async (db: DbOrTx, words: string[]) => {
    if (words.length < 2) return words;
    const counts = words.map(
      (word, index) =>
        sql`select ${sql.lit(index)} as word, count(*) as found
          from (select ${row} from ${tokens} where ${begins(word)} limit ${sql.lit(MAX_WEIGHED)}) as counted`,
    );
    const { rows } = await sql<{ word: number; found: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
    return rows.toSorted((one, other) => one.found - other.found).map(({ word }) => words[word]!);
  };
  return {
    /** Rows with every word of the text. */
    where(text: string, match?: NameMatch) {
      if (match?.length === 0) return sql<boolean>`1 = 0`;
      // Written out: a list in parts asks for them in each, and SQLite takes no more than 32,766 values.
      if (Array.isArray(match)) return sql<boolean>`${own} in (${sql.join(match.map((each) => sql.lit(each)))})`;
      const hasEach = searchedWords(text).map((word) => (match === "scanInOrder" ? hasWord(word) : isFound(word)));
      return sql<boolean>`(${sql.join(hasEach, sql` and `)})`;
    },
    async findMatch(db: DbOrTx, text: string): Promise<NameMatch> {
      const words = await rarestFirst(db, searchedWords(text));
      const { rows } = await withAll(words, COMMON + 1).execute(db);
      return rows.length > COMMON ? "scanInOrder" : rows.map(({ id: found }) => found);
    },
  };
}
