import { codeName, flagNames } from "./names.server";

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
