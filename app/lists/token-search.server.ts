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

/** More than this have it: in a list walked by its order one of them is never far, and a count reads an index instead of their rows. */
const COMMON = 2000;

/** Finds rows by the beginnings of words, in any order (docs/decisions/0030). */
export function tokenSearch({ table, reference, id }: TokenTable) {
  const [tokens, row, own] = [sql.table(table), sql.ref(`${table}.${reference}`), sql.ref(id)];
  const begins = (word: string) => sql`token >= ${word} and token < ${word + END_OF_PREFIX}`;
  const isFound = (word: string) => sql<boolean>`${own} in (select ${row} from ${tokens} where ${begins(word)})`;
  // The limit keeps the database from turning it into the other question.
  const hasWord = (word: string) =>
    sql<boolean>`(select ${row} from ${tokens} where ${row} = ${own} and ${begins(word)} limit 1) is not null`;
  return {
    /** Rows with every word of the text; `scansInOrder` asks each row along the list's order. */
    where: (text: string, scansInOrder = false) =>
      sql<boolean>`(${sql.join(nameTokens(text).map(scansInOrder ? hasWord : isFound), sql` and `)})`,
    /** Whether every word of the text is one that many have. */
    async isCommon(db: DbOrTx, text: string | undefined): Promise<boolean> {
      if (text === undefined) return false;
      for (const word of nameTokens(text)) {
        const counted = await sql<{ count: number }>`
          select count(*) as count from
            (select ${row} from ${tokens} where ${begins(word)} limit ${sql.lit(COMMON + 1)}) as some`.execute(db);
        if (Number(counted.rows[0]!.count) <= COMMON) return false;
      }
      return true;
    },
  };
}
