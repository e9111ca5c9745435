import { sql } from "kysely";

/**
 * A column that a condition reads from each row, so that SQLite, which gathers no statistics, does not choose its index over the order's.
 * MariaDB drops the sign and decides by its own statistics.
 */
export const withoutIndex = <T extends number | string = number>(column: string) => sql<T>`+${sql.ref(column)}`;
