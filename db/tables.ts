import type { Changes, Column, ComputedColumns, Tables } from "./ddl.server";
import { migrations } from "./migrations";

/**
 * The tables of a migrated database: what the migrations have made, merged. Nobody writes them down a second time; the
 * types are here, the values in `tables`.
 */
type Made = (typeof migrations)[keyof typeof migrations] extends infer M
  ? M extends { changes: infer C }
    ? C
    : never
  : never;
type AllOf<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void ? All : never;
type Created = AllOf<Made extends infer M ? (M extends { tables: infer T } ? T : never) : never>;
type Extended = AllOf<Made extends infer M ? (M extends { columns: infer C } ? C : never) : never>;
type ComputedLater = AllOf<Made extends infer M ? (M extends { computed: infer C } ? C : never) : never>;

export type TableName = keyof Created;
/** The columns of a table, each as its migration wrote it. */
export type ColumnsOf<T extends TableName> = (Created[T] extends { columns: infer C } ? C : never) &
  (T extends keyof Extended ? Extended[T] : unknown);
export type ComputedOf<T extends TableName> = (Created[T] extends { computed: infer C } ? C : unknown) &
  (T extends keyof ComputedLater ? ComputedLater[T] : unknown);

export const tables: Tables = mergeTables(
  Object.values(migrations).flatMap((migration): Changes[] => ("changes" in migration ? [migration.changes] : [])),
);

function mergeTables(all: readonly Changes[]): Tables {
  const created = Object.entries(Object.assign({}, ...all.map(({ tables: made }) => made)) as Tables);
  return Object.fromEntries(
    created.map(([name, table]) => {
      const changed = Object.assign({}, ...all.map(({ checks }) => checks?.[name])) as Record<string, string>;
      const dropped = all.flatMap(({ droppedIndexes }) => droppedIndexes?.[name] ?? []);
      const added = <V>(of: Readonly<Record<string, V>> | undefined, more: (changes: Changes) => object | undefined) =>
        Object.fromEntries(
          Object.entries({ ...of, ...(Object.assign({}, ...all.map(more)) as Record<string, V>) }).filter(
            ([key]) => !dropped.includes(key),
          ),
        );
      return [
        name,
        {
          ...table,
          // A condition may be replaced more than once.
          checks: (table.checks ?? []).map((check) => latest(check, changed)),
          columns: added<Column>(table.columns, ({ columns }) => columns?.[name]),
          computed: added<ComputedColumns[string]>(table.computed, ({ computed }) => computed?.[name]),
          unique: added(table.unique, ({ unique }) => unique?.[name]),
          indexes: added(table.indexes, ({ indexes }) => indexes?.[name]),
        },
      ];
    }),
  );
}

function latest(check: string, changed: Readonly<Record<string, string>>): string {
  const next = changed[check];
  return next === undefined ? check : latest(next, changed);
}
