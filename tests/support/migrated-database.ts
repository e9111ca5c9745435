import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import mysql, { type Connection, type RowDataPacket } from "mysql2/promise";
import { openDatabase, openSqlite } from "~db/connection.server";
import { closeWhole } from "~db/copy/take-snapshot.server";
import { migrate } from "~db/migrate.server";

/*
 * The migrations take seconds on MariaDB. They run once, into a template; every other database of the run is made of its definitions and its rows.
 */

let sqliteTemplate: Promise<string> | undefined;

/** Puts a SQLite database of the newest version into a data folder. */
export async function copyMigratedSqlite(dataDir: string): Promise<void> {
  sqliteTemplate ??= makeSqliteTemplate();
  copyFileSync(await sqliteTemplate, path.join(dataDir, "portal.db"));
}

async function makeSqliteTemplate(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "portal-template-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "portal.db");
  const db = openSqlite(file);
  await migrate(db);
  await closeWhole(db);
  return file;
}

let statements: Promise<string[]> | undefined;

/** Makes a database of the newest version on the server. */
export async function createMigratedMariaDb(server: string, name: string): Promise<void> {
  statements ??= readTemplate(server);
  const connection = await mysql.createConnection({ uri: server, multipleStatements: true });
  try {
    await connection.query(
      [
        `create database ${name} character set utf8mb4`,
        `use ${name}`,
        "set foreign_key_checks = 0",
        ...(await statements),
      ].join(";\n"),
    );
  } finally {
    await connection.end();
  }
}

/** What makes the template again. The workers of a run share it: the first one makes it while the others wait. */
async function readTemplate(server: string): Promise<string[]> {
  // Of this run: a server of somebody's own may still have the template of another. It is dropped at the run's end.
  const template = `portal_template_${process.env.TEST_RUN}`;
  const connection = await mysql.createConnection({ uri: server, dateStrings: true });
  try {
    await connection.query("select get_lock(?, 120)", [template]);
    const [found] = await connection.query<RowDataPacket[]>("show databases like ?", [template]);
    if (found.length === 0) {
      await connection.query(`create database ${template} character set utf8mb4`);
      const db = openDatabase({ dataDir: "", databaseUrl: `${server}/${template}` });
      await migrate(db);
      await db.destroy();
    }
    await connection.query(`use ${template}`);
    return await definitionsAndRows(connection);
  } finally {
    await connection.end();
  }
}

async function definitionsAndRows(connection: Connection): Promise<string[]> {
  const [tables] = await connection.query<RowDataPacket[]>("show tables");
  const made: string[] = [];
  const filled: string[] = [];
  for (const table of tables.map((row) => String(Object.values(row)[0]))) {
    const [[definition]] = await connection.query<RowDataPacket[]>(`show create table \`${table}\``);
    made.push(String(definition!["Create Table"]));
    const [rows] = await connection.query<RowDataPacket[]>(`select * from \`${table}\``);
    for (const row of rows) filled.push(connection.format("insert into ?? set ?", [table, row]));
  }
  return [...made, ...filled];
}
