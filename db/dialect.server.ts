import { type Kysely, MysqlAdapter } from "kysely";

export function isMysql(db: Kysely<any>): boolean {
  return db.getExecutor().adapter instanceof MysqlAdapter;
}

function errorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** A lock conflict after which the transaction may be repeated. */
export function isDeadlock(error: unknown): boolean {
  return ["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT", "SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"].includes(errorCode(error));
}

export function isDuplicate(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "ER_DUP_ENTRY") return true;
  return code.startsWith("SQLITE_CONSTRAINT") && /UNIQUE|PRIMARY KEY/i.test(String((error as Error).message));
}

export function isStoreFull(error: unknown): boolean {
  return ["SQLITE_FULL", "ER_RECORD_FILE_FULL", "ER_DISK_FULL", "ENOSPC", "EDQUOT"].includes(errorCode(error));
}

/**
 * Inserts rows unless their unique key is taken; returns whether any was inserted. Other errors are thrown, unlike
 * MariaDB's `insert ignore`, which truncates long text and writes 0 for invalid values.
 */
export async function insertMissing(db: Kysely<any>, table: string, rows: object | object[]): Promise<boolean> {
  const insert = db.insertInto(table).values(rows);
  if (!isMysql(db)) return ((await insert.orIgnore().executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
  try {
    await insert.execute();
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    if (!Array.isArray(rows) || rows.length === 1) return false;
    let isAnyNew = false;
    for (const row of rows) isAnyNew = (await insertMissing(db, table, row as object)) || isAnyNew;
    return isAnyNew;
  }
}
