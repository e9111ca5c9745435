import { sql } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import { searchedWords } from "~/text/names";

interface TokenTable {
  table: string;
  reference: string;
  id: string;
}

/** Sorts after every continuation of a prefix. */
export const END_OF_PREFIX = "\uffff";

/** With more matches the list is scanned in order, because the next match is near. */
const COMMON = 2000;

/** Rows counted per word to find the rarest. */
const MAX_WEIGHED = 20_000;

/**
 * How rows with all words are found. An array: all ids, since they are few. `scanInOrder`: scan the list and check
 * words per row. Undefined: look up each word.
 */
export type NameMatch = readonly number[] | "scanInOrder";

/** Finds rows by word beginnings in any order (docs/decisions/0030). */
export function tokenSearch({ table, reference, id }: TokenTable) {
  const [tokens, row, own] = [sql.table(table), sql.ref(`${table}.${reference}`), sql.ref(id)];
  const begins = (word: string, of = table) =>
    sql`${sql.ref(`${of}.token`)} >= ${word} and ${sql.ref(`${of}.token`)} < ${word + END_OF_PREFIX}`;
  const isFound = (word: string) => sql<boolean>`${own} in (select ${row} from ${tokens} where ${begins(word)})`;
  // The limit prevents a rewrite to the `in` query above.
  const hasWord = (word: string, of = own) =>
    sql<boolean>`(select ${sql.ref(`other.${reference}`)} from ${tokens} as ${sql.ref("other")}
      where ${sql.ref(`other.${reference}`)} = ${of} and ${begins(word, "other")} limit 1) is not null`;
  const withAll = ([first, ...others]: string[], max: number) => {
    const conditions = [begins(first!), ...others.map((word) => hasWord(word, row))];
    return sql<{ id: number }>`
      select distinct ${row} as id from ${tokens} where ${sql.join(conditions, sql` and `)} limit ${sql.lit(max)}`;
  };
  /** Words with the rarest first; the others are checked per row. */
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
    where(text: string, match?: NameMatch) {
      if (match?.length === 0) return sql<boolean>`1 = 0`;
      // Inlined: SQLite allows 32,766 values, and every part of a list repeats them.
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
