// @module-tag matrix
import { readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createReaders } from "~/files/reading/readers.server";
import { anAttachment, aReferralLetter } from "../../../tests/support/edi/drop";
import { ediPortal } from "../../../tests/support/portals/edi-portal";
import { readerProgram } from "../../../tests/support/reader-program";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

forEachDatabase("EDI files that are made to harm", (dialect) => {
  let portal: TestPortal;
  const { aCpr, arrives, lying, shown } = ediPortal(dialect, (opened) => {
    ({ portal } = opened);
  });

  test("a file that fills its reader's memory is refused, the next one imported", async () => {
    const { readers } = portal;
    portal.readers = createReaders({ programPath: readerProgram, maxRssBytes: 150e6 });
    const bomb = gzipSync(Buffer.alloc(99 * 1024 * 1024));
    await arrives(anAttachment("BOMBE", bomb, { cpr: aCpr() }), aReferralLetter({ cpr: aCpr() }));
    await portal.readers.close();
    portal.readers = readers;
    const rows = await shown();
    expect(rows.map(({ state }) => state).toSorted()).toEqual(["imported", "refused"]);
    expect(rows.find(({ state }) => state === "refused")).toMatchObject({
      detail: "Filen kan ikke læses: det tager for lang tid eller for meget plads.",
    });
    expect(lying()).toEqual([]);
    expect(readdirSync(portal.config.dataDir).filter((name) => name.startsWith("edi-"))).toEqual([]);
  });

  test("a letter with more text than anybody writes is refused", async () => {
    const letter = aReferralLetter({ cpr: aCpr() }).replace(
      /<ClinicalReason>/,
      `<ClinicalReason>${"æ".repeat(8 * 1024 * 1024)}`,
    );
    expect(letter.length).toBeGreaterThan(8 * 1024 * 1024);
    await arrives(letter);
    expect((await shown())[0]).toMatchObject({ state: "refused", detail: "Brevet har mere tekst, end der kan læses." });
  });
});
