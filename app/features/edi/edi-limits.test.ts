import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { subDays } from "date-fns";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { purgeFiles, removeExpired } from "~/features/maintenance/operations.server";
import type { FolderStore } from "~/gateways/file-store/folder.server";
import { toMoment } from "~/text/dates";
import { aPerson } from "../../../tests/factories/people";
import { anAttachment, aReferralLetter, dropEdi } from "../../../tests/support/edi/drop";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { dismissEdiMessage, readEdiAgain } from "./decide/operations.server";
import { importEdi } from "./import-edi.server";
import { listEdi } from "./list/edi-list.server";
import { aPdf } from "../../../tests/support/pdf";

const worker: Caller = { actor: { kind: "system", job: "job" }, site: "inside", address: "", sessionId: null };

function bitmap(sizeBytes: number): Buffer {
  const rows = Math.floor((sizeBytes - 54) / 9000);
  const bytes = Buffer.alloc(54 + rows * 9000, 0x5a);
  bytes.write("BM", 0, "latin1");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.fill(0, 6, 54);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(3000, 18);
  bytes.writeInt32LE(rows, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

forEachDatabase("the limits of EDI", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let cprCount = 0;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
  });
  beforeEach(() => void portal.clock.advance({ minutes: 1 }));
  afterAll(() => portal.close());

  const aCpr = () => `030370${1000 + ++cprCount}`;
  const run = () => importEdi(portal, worker);
  const arrives = async (text: string) => {
    dropEdi(portal.config.dataDir, "fil.xml", text);
    await run();
  };
  const newest = async () => (await portal.as(admin, listEdi, {})).rows[0]!;

  test("an attachment whose letter has not come after four hours waits for a person", async () => {
    await arrives(anAttachment("ALENE", aPdf(), { cpr: aCpr(), extension: "pdf" }));
    portal.clock.advance({ hours: 3, minutes: 50 });
    await run();
    expect(await newest()).toMatchObject({ state: "waiting", reason: "noLetter" });
    portal.clock.advance({ minutes: 10 });
    await run();
    expect(await newest()).toMatchObject({ state: "person", reason: "noLetter" });
  });

  test("'Indlæs igen' reads a waiting or dismissed message again from its original file", async () => {
    const cpr = aCpr();
    await arrives(aReferralLetter({ cpr }));
    await arrives(aReferralLetter({ cpr, firstName: "Signe", lastName: "Holm" }));
    const { id: messageId } = await newest();
    expect(await newest()).toMatchObject({ state: "person", reason: "nameDiffers" });
    await portal.db.updateTable("referral").set({ firstName: "Signe", lastName: "Holm" }).execute();
    await portal.as(admin, dismissEdiMessage, { messageId });
    expect(await newest()).toMatchObject({ state: "dismissed", can: { readAgain: true } });
    await portal.as(admin, readEdiAgain, { messageId });
    await run();
    expect(await newest()).toMatchObject({ id: messageId, state: "imported" });
  });

  test("after 90 days the bytes are gone, and those of what waits are not", async () => {
    await arrives(aReferralLetter({ cpr: aCpr() }));
    await arrives(aReferralLetter({ cpr: "ukendt" }));
    const stored = async () =>
      (
        await portal.db
          .selectFrom("ediFile")
          .leftJoin("storedFile", "storedFile.id", "ediFile.storedFileId")
          .select("storageKey")
          .orderBy("ediFile.id", "desc")
          .limit(2)
          .execute()
      ).map((row) => row.storageKey);
    const [waits, imported] = await stored();
    const exists = async (key: string | null) => {
      try {
        return readFileSync((portal.files as FolderStore).pathOf(key!)).length > 0;
      } catch {
        return false;
      }
    };
    const old = toMoment(subDays(portal.clock.now(), 91));
    await portal.db.updateTable("ediMessage").set({ receivedAt: old }).execute();
    await portal.db.updateTable("ediFile").set({ receivedAt: old }).execute();
    await portal.as({ kind: "system", job: "test" }, removeExpired, {});
    await portal.as({ kind: "system", job: "test" }, purgeFiles, {});
    expect([await exists(waits!), await exists(imported!)]).toEqual([true, false]);
    expect((await stored())[1]).toBeNull();
  });

  test("unreadable files are refused in words, and the next letter is imported", async () => {
    const longName = `${"ø".repeat(120)}.xml`;
    const cpr = aCpr();
    dropEdi(portal.config.dataDir, "1.edi", `UNB${"+".repeat(10_000_000)}'`);
    dropEdi(portal.config.dataDir, longName, aReferralLetter({ cpr: aCpr() }));
    dropEdi(portal.config.dataDir, "3.xml.1700000000-2.claimed", aReferralLetter({ cpr: aCpr() }));
    dropEdi(portal.config.dataDir, "4.xml", aReferralLetter({ cpr }));
    await run();
    const { rows } = await portal.as(admin, listEdi, {});
    expect(
      rows
        .slice(0, 4)
        .map(({ state, detail }) => [state, detail])
        .toSorted(),
    ).toEqual([
      ["imported", null],
      ["refused", expect.stringContaining("Et segment har flere end 1000 felter")],
      [
        "refused",
        "Filens navn er længere end 200 tegn, og filen er ikke læst. Den ligger i mappen med endelsen .aside.",
      ],
      ["refused", expect.stringMatching(/^Portalen er to gange gået ned, .* \.aside\.$/)],
    ]);
    const left = readdirSync(path.join(portal.config.dataDir, "edi", "in")).toSorted();
    expect(left).toEqual([
      expect.stringMatching(/^3\.xml\.\d{8}T\d{6}Z~[0-9a-f]{8}\.aside$/),
      expect.stringMatching(/^ø{40}~[0-9a-f]{16}\.\d{8}T\d{6}Z~[0-9a-f]{8}\.aside$/),
    ]);
  });

  test.runIf(dialect === "sqlite")(
    "an attachment of 30 MB is taken whole",
    async () => {
      const cpr = aCpr();
      const bytes = bitmap(30 * 1024 * 1024);
      await arrives(aReferralLetter({ cpr, objectId: "STOR" }));
      const { referralId } = await newest();
      await arrives(anAttachment("STOR", bytes, { cpr, extension: "bmp" }));
      expect(await newest()).toMatchObject({ state: "attached", referralId });
      const file = await portal.db
        .selectFrom("referralFile")
        .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
        .select(["sizeBytes", "sha256"])
        .where("referralId", "=", referralId)
        .executeTakeFirstOrThrow();
      expect(file).toEqual({
        sizeBytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
      });
    },
    60_000,
  );
});
