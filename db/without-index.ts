import { sql } from "kysely";

/**
 * A column whose index SQLite must not use for a condition: without statistics it would prefer it to the sort order's.
 * MariaDB ignores the sign and uses its statistics.
 */
export const withoutIndex = <T extends number | string | boolean = number>(column: string) =>
  sql<T>`+${sql.ref(column)}`;

/** A sort column whose index is not scanned: rows are found by their conditions first. */
export const withoutOrder = (column: string) => sql<unknown>`coalesce(${sql.ref(column)}, null)`;
