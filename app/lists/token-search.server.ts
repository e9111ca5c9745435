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

/** Past every text that begins so: no character sorts after it. */
export const END_OF_PREFIX = "\uffff";

/** More than this have all the words: in a list walked by its order one of them is never far. */
const COMMON = 2000;

/**
 * How the rows with every word of a text are found. `scanInOrder`: the list is walked in its order and each row is asked for the words.
 * `intersectFirst`: few rows have them all; the words are put together before any row is looked at. Left out: each word for itself.
 */
export type NameStrategy = "scanInOrder" | "intersectFirst";

/** Finds rows by the beginnings of words, in any order (docs/decisions/0030). */
export function tokenSearch({ table, reference, id }: TokenTable) {
  const [tokens, row, own] = [sql.table(table), sql.ref(`${table}.${reference}`), sql.ref(id)];
  const begins = (word: string, of = table) =>
    sql`${sql.ref(`${of}.token`)} >= ${word} and ${sql.ref(`${of}.token`)} < ${word + END_OF_PREFIX}`;
  const isFound = (word: string) => sql<boolean>`${own} in (select ${row} from ${tokens} where ${begins(word)})`;
  // The limit keeps the database from turning it into the other question.
  const hasWord = (word: string) =>
    sql<boolean>`(select ${row} from ${tokens} where ${row} = ${own} and ${begins(word)} limit 1) is not null`;
  /** Their numbers, no more than `max`: a limit lets neither database take this query apart. */
  const withAll = ([first, ...others]: string[], max: number) => {
    const joined = others.map(
      (word, index) =>
        sql`inner join ${tokens} as ${sql.ref(`other_${index}`)} on ${sql.ref(`other_${index}.${reference}`)} = ${row} and ${begins(word, `other_${index}`)}`,
    );
    return sql`select ${row} from ${tokens} ${sql.join(joined, sql` `)} where ${begins(first!)} limit ${sql.lit(max)}`;
  };
  return {
    /** Rows with every word of the text. */
    where(text: string, strategy?: NameStrategy) {
      const words = nameTokens(text);
      // Twice as many as were counted a moment ago: some may have come since.
      if (strategy === "intersectFirst")
        return sql<boolean>`${own} in (select ${sql.ref(`found.${reference}`)} from (${withAll(words, 2 * COMMON)}) as found)`;
      return sql<boolean>`(${sql.join(words.map(strategy === "scanInOrder" ? hasWord : isFound), sql` and `)})`;
    },
    async chooseStrategy(db: DbOrTx, text: string | undefined): Promise<NameStrategy | undefined> {
      if (text === undefined) return undefined;
      const counted = await sql<{ count: number }>`
        select count(*) as count from (${withAll(nameTokens(text), COMMON + 1)}) as some`.execute(db);
      return Number(counted.rows[0]!.count) > COMMON ? "scanInOrder" : "intersectFirst";
    },
  };
}
