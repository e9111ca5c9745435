// @module-tag node
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import mysql from "mysql2/promise";
import { afterEach, expect, test } from "vitest";
import { get, makeDemoData, signIn, startServer, ticketIn } from "../../scripts/test-server.mjs";
import { forEachDatabase } from "../support/test-portal";

let dataDir: string;
let portal: { origin: string; output(): string; stop(): Promise<void> } | undefined;

afterEach(async () => {
  await portal?.stop();
  portal = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

const patient = {
  intent: "savePatient",
  formKey: "searched-for-in-the-log",
  cpr6: "610180",
  cpr4: "4100",
  firstName: "Rosamunde",
  lastName: "Findeling",
  address: "Åvej 1",
  zip: "8000",
  city: "Aarhus",
  desiredTreatment: "Fjernelse af 38.",
};

function getWith(origin: string, address: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: address, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    })
      .on("error", reject)
      .end();
  });
}

async function databaseOf(kind: string): Promise<{ url: string; run(statement: string): Promise<void> }> {
  if (kind === "sqlite") {
    return {
      url: "",
      async run(statement) {
        const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
        database.exec(statement);
        database.close();
      },
    };
  }
  const server = process.env.TEST_MARIADB_URL!;
  const run = async (statement: string, to: string) => {
    const connection = await mysql.createConnection(to);
    await connection.query(statement);
    await connection.end();
  };
  await run("create or replace database portal_log_test character set utf8mb4", server);
  const url = `${server}/portal_log_test`;
  return { url, run: (statement) => run(statement, url) };
}

forEachDatabase("the log", { mariadb: "matrix" }, (kind) => {
  test("holds nothing about a patient when a statement or an address fails", async () => {
    dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-log-"));
    const database = await databaseOf(kind);
    makeDemoData(dataDir, 1, database.url);
    const server = await startServer({
      env: { NODE_ENV: "development", DATA_DIR: dataDir, DATABASE_URL: database.url },
    });
    portal = server;
    const cookie = await signIn(server.origin, "tandlaege");
    const wizard = `${server.origin}/management/henvisning-tandlaeger?form=searched-for-in-the-log`;
    const ticket = ticketIn((await get(wizard, { cookie })).text);
    await database.run("alter table referral rename column first_name to first_name_away");
    const answer = await fetch(wizard, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ ...patient, ticket }),
    });
    expect(answer.status).toBe(500);
    for (const header of ["x-forwarded-host", "x-forwarded-proto", "forwarded", "x-forwarded-port"]) {
      for (const value of ["a b:x", "[", "%", "evil.example:99999", "javascript:"])
        expect(
          await getWith(server.origin, "/login?cpr=6101804100", { [header]: value, host: new URL(server.origin).host }),
          `${header}: ${value}`,
        ).toBe(200);
    }
    expect(
      await getWith(server.origin, "/login", { "x-forwarded-for": "203.0.113.9", host: new URL(server.origin).host }),
    ).toBe(200);
    await server.stop();
    const log = server.output();
    expect(log).toMatch(
      kind === "sqlite" ? /"type":"SqliteError","code":"SQLITE_ERROR"/ : /"type":"Error","code":"ER_BAD_FIELD_ERROR"/,
    );
    expect(log).toMatch(/"stack":\["at /);
    expect(log).toMatch(/"level":40.*X-Forwarded-For from a peer that TRUSTED_PROXIES does not name/);
    expect(log).not.toMatch(/Rosamunde|Findeling|610180|4100|Fjernelse|insert into|Åvej/i);
  });
});
