import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { downloadLetter } from "~/features/discharge-letters/read-discharge-letters.server";
import { writeLetter } from "~/features/discharge-letters/write-letter.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { downloadReferralFile } from "~/features/referrals/images/download-referral-file.server";
import { aClinic, aPerson } from "../tests/factories/people";
import { uploadRadiograph } from "../tests/factories/radiographs";
import { aReferral } from "../tests/factories/referrals";
import { dropTables, dumpDatabase, loadDump } from "../tests/support/database-dump";
import { databaseShape } from "../tests/support/database-shape";
import { createTestPortal, forEachDatabase, type TestPortal } from "../tests/support/test-portal";
import { version } from "../package.json";
import { migrate, migrateTo } from "./migrate.server";

vi.setConfig({ testTimeout: 60_000 });

/** A folder for each release, by its number: the database on either kind, and the files it names. */
const releases = "db/fixtures/releases";
const image = readFileSync("tests/files/small.jpg");
const isWriting = Boolean(process.env.WRITE_FIXTURES);

forEachDatabase("databases of former releases", (dialect) => {
  let portal: TestPortal;
  beforeEach(async () => {
    portal = await createTestPortal(dialect);
  });
  afterEach(() => portal.close());

  const filesOf = (release: string) => path.join(releases, release, `${dialect}-files`);
  const dumpOf = (release: string) => path.join(releases, release, `${dialect}.sql.gz`);

  // A step of each release (docs/operations.md): a referral with an image and a written letter.
  test.runIf(isWriting)("writes the database of this release", async () => {
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const admin = await aPerson(portal, { role: "Admin" });
    const referralId = await aReferral(portal, dentist, { firstName: "Åse" });
    await uploadRadiograph(portal, dentist, referralId, "48.jpg", { bytes: image, type: 0 });
    const words = { diagnosis: "Retineret 48", treatment: "48 er fjernet.", followUp: "Ingen." };
    await portal.as(admin, writeLetter, { referralId, letterNumber: 1, ...words, images: [] });
    rmSync(filesOf(version), { recursive: true, force: true });
    mkdirSync(path.dirname(dumpOf(version)), { recursive: true });
    cpSync(path.join(portal.config.dataDir, "files"), filesOf(version), { recursive: true });
    const dump = await dumpDatabase(portal.db);
    expect(dump).toContain("Åse");
    writeFileSync(dumpOf(version), gzipSync(dump, { level: 9 }));
  });

  test.each(readdirSync(releases))("the migrations of %s still make its tables", async (release) => {
    await dropTables(portal.db);
    await loadDump(portal.db, gunzipSync(readFileSync(dumpOf(release))).toString());
    const released = await databaseShape(portal.db);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(portal.db);
    await dropTables(portal.db);
    await migrateTo(portal.db, rows.at(-1)!.name);
    expect(await databaseShape(portal.db)).toEqual(released);
  });

  test.each(readdirSync(releases))("referral, image and letter of %s are read after the upgrade", async (release) => {
    await dropTables(portal.db);
    await loadDump(portal.db, gunzipSync(readFileSync(dumpOf(release))).toString());
    cpSync(filesOf(release), path.join(portal.config.dataDir, "files"), { recursive: true });
    await migrate(portal.db);
    const restarted = await portal.reopened();
    await restarted.close();
    const { id } = await portal.db.selectFrom("referral").select("id").executeTakeFirstOrThrow();
    // The dump has users of the usual names.
    const admin = await aPerson(portal, { role: "Admin", userName: "nybruger" });
    const referral = await portal.as(admin, readReferral, { referralId: id });
    expect(referral).toMatchObject({ isDraft: false, patient: { firstName: "Åse" } });
    expect(JSON.stringify(referral)).toMatch(/610180-?\d{4}/);
    const { id: fileId } = await portal.db.selectFrom("referralFile").select("id").executeTakeFirstOrThrow();
    const file = await portal.as(admin, downloadReferralFile, { referralId: id, fileId });
    expect((await buffer(await file.open())).equals(image)).toBe(true);
    const letter = await portal.as(admin, downloadLetter, { referralId: id, letterNumber: 1, kind: "pdf" });
    expect((await buffer(await letter.open())).subarray(0, 5).toString()).toBe("%PDF-");
  });
});
