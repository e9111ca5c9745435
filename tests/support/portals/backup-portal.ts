import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import mysql from "mysql2/promise";
import { afterAll, beforeAll } from "vitest";
import type { Person } from "~/access/actor";
import { insertStoredFile } from "~/files/stored-file-store.server";
import { inTransaction, openDatabase } from "~db/connection.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { COMMAND_SECRET as SECRET } from "../commands";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

/** A portal copied `from` one place and restored `into` another; `opened` gets it. */
export function backupPortal(dialect: Dialect, opened: (portal: TestPortal) => void) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "portal-backup-"));
  const at = (name: string) => path.join(folder, name);
  const databases: string[] = [];
  const from: Record<string, string> = {};
  const into: Record<string, string> = {};
  let portal: TestPortal;
  let dentist: Person;

  beforeAll(async () => {
    portal = await createTestPortal(dialect, { env: { APP_SECRET: SECRET } });
    opened(portal);
    portal.clock.set(new Date().toISOString());
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await aPerson(portal, { role: "Admin", userName: "chef", password: "Demo1234" });
    Object.assign(from, { DATA_DIR: portal.config.dataDir, DATABASE_URL: portal.config.databaseUrl });
    Object.assign(into, await emptyPlace("restored"));
  });
  afterAll(async () => {
    await portal?.close();
    rmSync(folder, { recursive: true, force: true });
    for (const name of databases) await onMariadb(`drop database if exists ${name}`);
  });

  async function onMariadb(statement: string) {
    const connection = await mysql.createConnection(process.env.TEST_MARIADB_URL!);
    await connection.query(statement);
    await connection.end();
  }

  /** A place to restore into: a data folder, and on MariaDB a database. */
  async function emptyPlace(name: string, isBegun = false) {
    if (dialect === "sqlite") {
      if (isBegun) mkdirSync(at(name));
      if (isBegun) writeFileSync(path.join(at(name), "portal.db"), "");
      return { DATA_DIR: at(name), DATABASE_URL: "" };
    }
    const database = `portal_restore_${randomBytes(6).toString("hex")}`;
    databases.push(database);
    await onMariadb(`create database ${database} character set utf8mb4`);
    return { DATA_DIR: at(name), DATABASE_URL: `${process.env.TEST_MARIADB_URL}/${database}` };
  }
  const openPlace = (place: Record<string, string>) =>
    openDatabase({ dataDir: place.DATA_DIR!, databaseUrl: place.DATABASE_URL! });

  async function storedLike(text: string) {
    const bytes = Buffer.from(text.repeat(200));
    const storageKey = await portal.files.put(
      (async function* () {
        yield bytes;
      })(),
    );
    return {
      storageKey,
      fileName: "fil.txt",
      mime: "text/plain",
      sizeBytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      scanState: "notScanned" as const,
      dicomCprHash: null,
      dicomFactsEncrypted: null,
    };
  }

  async function aFile(text: string, purgeAfter: string | null = null): Promise<{ id: number; key: string }> {
    const file = await storedLike(text);
    const id = await insertStoredFile(portal.db, file, portal.clock.now());
    if (purgeAfter !== null)
      await portal.db.updateTable("storedFile").set({ purgeAfter }).where("id", "=", id).execute();
    return { id, key: file.storageKey };
  }

  /** Sends referrals, files and messages until stopped; records what was acknowledged. */
  function writeOn() {
    const acknowledged: { referral: number; outbox: number; key: string }[] = [];
    let isStopped = false;
    const work = async () => {
      while (!isStopped) {
        const referral = await aReferral(portal, dentist);
        const { key } = await aFile(`fil ${referral} `);
        const outbox = await inTransaction(portal.db, (tx) =>
          portal.outboxIn(tx).email({
            kind: "statusNews",
            to: "a@eksempel.dk",
            subject: "Hej",
            text: "Hej",
            html: "",
            referralId: referral,
          }),
        );
        acknowledged.push({ referral, outbox, key });
        await rest(1);
      }
    };
    const done = work();
    return {
      acknowledged,
      async stop() {
        isStopped = true;
        await done;
      },
    };
  }

  return { folder, at, from, into, emptyPlace, openPlace, storedLike, aFile, writeOn };
}
