import { sql } from "kysely";

/**
 * A column that a condition reads from each row, so that SQLite, which gathers no statistics, does not choose its index over the order's.
 * MariaDB drops the sign and decides by its own statistics.
 */
export const withoutIndex = <T extends number | string = number>(column: string) => sql<T>`+${sql.ref(column)}`;

/** A column to sort by whose index neither database scans for it: the rows are found by their conditions first. */
export const withoutOrder = (column: string) => sql<unknown>`coalesce(${sql.ref(column)}, null)`;
