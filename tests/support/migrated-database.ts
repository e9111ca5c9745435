import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import mysql, { type Connection, type RowDataPacket } from "mysql2/promise";
import { openDatabase, openSqlite } from "~db/connection.server";
import { closeWhole } from "~db/copy/take-snapshot.server";
import { migrate } from "~db/migrate.server";

/* Migrating takes seconds on MariaDB, so it runs once, into a template from which other databases are copied. */

let sqliteTemplate: Promise<string> | undefined;

/** Creates a migrated SQLite database in a data folder. */
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

export interface MariaDb {
  name: string;
  server: string;
  url: string;
}

/** A new migrated database on the run's server. */
export async function createMariaDb(): Promise<MariaDb> {
  const server = process.env.TEST_MARIADB_URL;
  if (!server) throw new Error("TEST_MARIADB_URL is set by the global setup");
  const name = `portal_test_${randomBytes(6).toString("hex")}`;
  await createMigrated(server, name);
  return { name, server, url: `${server}/${name}` };
}

export async function dropMariaDb({ server, name }: MariaDb): Promise<void> {
  const connection = await mysql.createConnection(server);
  await connection.query(`drop database ${name}`);
  await connection.end();
}

async function createMigrated(server: string, name: string): Promise<void> {
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

/** Definitions and rows of the template, shared by the run's workers: the first creates it. */
async function readTemplate(server: string): Promise<string[]> {
  // Named by run, since a foreign server may have another run's template. Dropped at the end.
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
