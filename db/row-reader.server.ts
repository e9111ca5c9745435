import { MysqlQueryCompiler, SqliteQueryCompiler } from "kysely";
import { tables } from "./tables";

const inCode = new Map(
  Object.entries(tables).flatMap(([table, { columns, computed }]) =>
    [table, ...Object.keys(columns), ...Object.keys(computed ?? {})].map((name) => [name, camelCase(name)]),
  ),
);
/** Names in code of the columns of type `flag`; no column of another type has one of them. */
export const flagNames: ReadonlySet<string> = new Set(
  Object.values(tables).flatMap(({ columns, computed }) =>
    Object.entries({ ...columns, ...computed }).flatMap(([name, column]) =>
      (typeof column === "string" ? column : column.type).startsWith("flag") ? camelCase(name) : [],
    ),
  ),
);

const inDatabase = new Map([...inCode].map(([name, code]) => [code, name]));

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The database's name of a table or column: `police_claim` for `policeClaim`. Other names are the same in both. */
export const databaseName = (name: string): string => inDatabase.get(name) ?? name;

/** The name in code of a table or column, `policeClaim` for `police_claim`. Other names are the same in both. */
export const codeName = (name: string): string => inCode.get(name) ?? name;

export type Row = Record<string, unknown>;

/**
 * Reads rows of a statement: the names of its columns as the database gives them, then the values of each row. A flag,
 * which the database keeps as 0 or 1, becomes a boolean. It is known by its name alone, so an alias of a flag is the
 * name of a flag, and nothing else has such a name (docs/rules/database.md#rows).
 */
export function rowReader(columns: readonly string[]): (values: readonly unknown[]) => Row {
  const names = columns.map(codeName);
  const flags = [...new Set(names)].filter((name) => flagNames.has(name));
  return (values) => {
    const row: Row = {};
    for (let i = 0; i < names.length; i++) row[names[i]!] = values[i];
    for (const name of flags) if (row[name] !== null) row[name] = row[name] === 1;
    return row;
  };
}

export class NamingSqliteCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(databaseName(name));
  }
}

export class NamingMysqlCompiler extends MysqlQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(databaseName(name));
  }
}
