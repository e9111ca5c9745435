// @module-tag matrix
// @module-tag swift
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { execute, plainInput } from "~/access/operation.server";
import { loadConfig } from "~/config/config.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { storeParts } from "~/files/staging/upload-parts.server";
import { systemCaller } from "~/access/system-caller";
import { openPortal } from "~/open-portal.server";
import { inTransaction } from "~db/connection.server";
import { aClinic, aPerson } from "../factories/people";
import { aRadiograph } from "../factories/radiographs";
import { aReferral } from "../factories/referrals";
import { COMMAND_SECRET as SECRET, run } from "../support/commands";
import { type CuttingProxy, startCuttingProxy } from "../support/peers/cutting-proxy";
import { readerProgram } from "../support/reader-program";
import { makeBucket, type TestBucket } from "../support/peers/s3-bucket";
import { type RunningSwift, startSwift } from "../support/swift.mjs";
import { createTestPortal, type TestPortal } from "../support/test-portal";

/* Differences between databases are tested in backup.test.ts; here files go from one bucket to another. */

const folder = mkdtempSync(path.join(os.tmpdir(), "portal-backup-s3-"));
const at = (name: string) => path.join(folder, name);
let swift: RunningSwift;
let proxy: CuttingProxy;
let bucket: TestBucket;
let portal: TestPortal;
let from: Record<string, string>;

beforeAll(async () => {
  swift = await startSwift();
  proxy = await startCuttingProxy(swift.port);
  bucket = await makeBucket(swift);
  portal = await createTestPortal("sqlite", { env: { APP_SECRET: SECRET, ...bucket.env() } });
  from = { DATA_DIR: portal.config.dataDir, ...bucket.env(proxy.origin) };
});
afterAll(async () => {
  await portal?.close();
  await proxy?.close();
  await swift?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a copy comes up in another bucket with every file, and sends nothing", async () => {
  const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  const referralId = await aReferral(portal, dentist);
  await aRadiograph(portal, dentist, referralId, "48.jpg");
  await aRadiograph(portal, dentist, referralId, "scan.dcm", 4);
  await inTransaction(portal.db, (tx) =>
    portal
      .outboxIn(tx)
      .email({ kind: "statusNews", to: "a@eksempel.dk", subject: "Hej", text: "Hej", html: "", referralId }),
  );
  // Parts of unfinished uploads are not copied.
  await storeParts(portal, randomBytes(16).toString("hex"), Readable.from([randomBytes(9_000_000)]), 0);
  const made = await run(from, "backup", at("copy"));
  expect([made.code, made.output], made.output).toEqual([
    0,
    expect.stringMatching(/1 henvisninger, \d beskeder i kø, 2 filer/),
  ]);

  const other = await makeBucket(swift);
  const into = { DATA_DIR: at("restored"), ...other.env() };
  const restored = await run(into, "restore", at("copy"));
  expect(restored.code, restored.output).toBe(0);
  const files = await portal.db.selectFrom("storedFile").select(["storageKey", "sha256"]).execute();
  expect((await other.everything()).toSorted()).toEqual(files.map((file) => `files/${file.storageKey}`).toSorted());
  expect(existsSync(path.join(into.DATA_DIR, "files"))).toBe(false);
  const copy = await openPortal(loadConfig({ NODE_ENV: "test", APP_SECRET: SECRET, ...into }), {
    readerProgram,
    logLevel: "silent",
  });
  try {
    for (const { storageKey: key, sha256 } of files) {
      const bytes = await buffer(await copy.files.openRead(key));
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    }
    const sent = await execute(copy, systemCaller("worker"), sendMessage, plainInput({ owner: "w", channel: "email" }));
    expect(sent.data?.sent).not.toBe(true);
    const rows = await copy.db.selectFrom("outbox").select(["outcome", "attempts"]).execute();
    expect(rows).not.toEqual([]);
    for (const row of rows) expect(row).toEqual({ outcome: "queued", attempts: 0 });
  } finally {
    await copy.close();
  }
});

test("a bucket that is away, wrong bytes in it, and one that is in use are named", async () => {
  const [file] = await portal.db.selectFrom("storedFile").select("storageKey").execute();
  proxy.aim(1);
  const away = await run(from, "backup", at("away"));
  expect([away.code, away.output]).toEqual([1, expect.stringContaining("FILE_STORE: the files cannot be reached")]);
  expect(existsSync(path.join(at("away"), "copy.json"))).toBe(false);
  proxy.aim(swift.port);

  await bucket.overwrite(`files/${file!.storageKey}`, Buffer.from("something else"));
  const wrong = await run(from, "backup", at("wrong"));
  expect([wrong.code, wrong.output]).toEqual([
    1,
    expect.stringContaining(`${file!.storageKey}: The file ${file!.storageKey} is not what was stored`),
  ]);

  const used = await makeBucket(swift);
  await used.overwrite(`files/${"a".repeat(32)}`, Buffer.from("x"));
  const refused = await run({ DATA_DIR: at("used"), ...used.env() }, "restore", at("copy"));
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("not the copy's")]);
  const missing = { DATA_DIR: at("used"), ...used.env(), FILE_STORE: `s3://nobodys?endpoint=${swift.endpoint}` };
  expect(await run(missing, "restore", at("copy"))).toEqual({
    code: 1,
    output: "FILE_STORE: there is no bucket nobodys",
  });
});
