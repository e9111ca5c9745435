import { tables } from "./tables";

/** Tables and columns are `policeClaim` in code and `police_claim` in the database (docs/rules/database.md#rows). */
const inCode = new Map(
  Object.entries(tables).flatMap(([table, { columns, computed }]) =>
    [table, ...Object.keys(columns), ...Object.keys(computed ?? {})].map((name) => [name, camelCase(name)]),
  ),
);
const inDatabase = new Map([...inCode].map(([name, code]) => [code, name]));

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The database's name of a table or column in code. Other names are the same in both. */
export const databaseName = (name: string): string => inDatabase.get(name) ?? name;

/** The name in code of the database's table or column. Other names are the same in both. */
export const codeName = (name: string): string => inCode.get(name) ?? name;

/** Names in code of the columns of type `flag`; no column of another type has one of them. */
export const flagNames: ReadonlySet<string> = new Set(
  Object.values(tables).flatMap(({ columns, computed }) =>
    Object.entries({ ...columns, ...computed }).flatMap(([name, column]) =>
      (typeof column === "string" ? column : column.type).startsWith("flag") ? codeName(name) : [],
    ),
  ),
);
