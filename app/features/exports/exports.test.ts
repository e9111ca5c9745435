import type { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { applyFilter } from "~/features/referrals/list/list-referrals.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, aReferral, copyOfRow } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import {
  askExport,
  exportByDates,
  exportFiltered,
  exportPicked,
  readExportPage,
  exportHeads,
  downloadExport,
} from "./operations.server";

forEachDatabase("exports", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal, "Tandlægerne på Åen")] });
    admin = await aPerson(portal, { role: "Admin" });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("referral").execute();
    await portal.db.deleteFrom("setting").execute();
  });

  const sealIn = (to: string | undefined) => new URLSearchParams(to?.split("?")[1]).get("e")!;

  async function bytesOf(to: string | undefined, person = admin): Promise<Buffer> {
    const download = await portal.as(person, downloadExport, { e: sealIn(to) });
    const parts: Buffer[] = [];
    for await (const part of download.open() as Readable) parts.push(part as Buffer);
    await download.onSent();
    return Buffer.concat(parts);
  }
  const linesOf = async (to: string | undefined) =>
    (await bytesOf(to)).toString("utf16le").slice(1).split("\r\n").slice(0, -1);
  const idsOf = async (to: string | undefined) =>
    (await linesOf(to)).slice(1).map((line) => Number(line.split("\t")[0]));

  test("the export page's address holds the filter and the picked rows' numbers", async () => {
    const asked = (input: { f?: string; pick?: string[] }) => portal.as(admin, askExport, { pick: [], ...input });
    expect(await asked({ f: "sealed+filter", pick: ["12:3", "7"] })).toEqual({
      to: "/management/overview/eksport?f=sealed%2Bfilter&pick=12&pick=7",
    });
    expect(await asked({})).toEqual({ to: "/management/overview/eksport" });
    await expect(asked({ pick: ["12; drop"] })).rejects.toMatchObject({ name: "invalid" });
  });

  test("is UTF-16LE with a byte order mark, tabs and CRLF, and has the agreed columns", async () => {
    const id = await aReferral(portal, dentist, {
      cpr6: "251248",
      cpr4: "9996",
      isHealthInsurance: "yes",
      healthInsuranceType: "2",
      phone: "10 00 00 01",
    });
    const { to } = await portal.as(admin, exportPicked, { pick: [`${id}:1`] });
    const bytes = await bytesOf(to);
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfe]);
    const [head, row] = (await linesOf(to)) as [string, string];
    expect(head).toBe(exportHeads.join("\t"));
    expect(row).toBe(
      `${id};;251248-9996;Søren;Møller;Åvej 1;8000;Aarhus;10 00 00 01;;;${dentist.firstName} ${dentist.lastName};10231;Tandlægerne på Åen;Almindelig;Ringer selv;Egenbet;Gruppe2;01.12.2026;Afventer visitering;;;;Operativ fjernelse af 48.;`.replaceAll(
        ";",
        "\t",
      ),
    );
  });

  test("escapes cells that a spreadsheet would run, keeps line breaks and quotes", async () => {
    const id = await aReferral(portal, dentist, {
      desiredTreatment: '=HYPERLINK("http://ond.dk")',
      diagnose: 'Linje 1\nhan sagde "av"\t ja',
    });
    const text = (await bytesOf((await portal.as(admin, exportPicked, { pick: [String(id)] })).to)).toString("utf16le");
    expect(text).toContain(`"'=HYPERLINK(""http://ond.dk"")"\t"Linje 1\nhan sagde ""av""\t ja"\r\n`);
  });

  test("exports by date: both days included, newest first, without drafts and other days", async () => {
    const ids: number[] = [];
    for (const day of [
      "2026-11-01T23:30:00.000Z",
      "2026-11-02T12:00:00.000Z",
      "2026-11-03T22:59:00.000Z",
      "2026-11-03T23:01:00.000Z",
    ]) {
      portal.clock.set(day);
      ids.push(await aReferral(portal, dentist));
    }
    await aDraft(portal, dentist);
    // In Copenhagen the first was sent on 2 November and the last on 4 November.
    expect(
      await idsOf((await portal.as(admin, exportByDates, { dateFrom: "02.11.2026", dateTo: "03.11.2026" })).to),
    ).toEqual([ids[2], ids[1], ids[0]]);
    expect(await idsOf((await portal.as(admin, exportByDates, { dateFrom: "03.11.2026" })).to)).toEqual([
      ids[3],
      ids[2],
    ]);
    expect(await idsOf((await portal.as(admin, exportByDates, { dateTo: "02.11.2026" })).to)).toEqual([ids[1], ids[0]]);
  });

  test.each([
    [{}, "Vælg mindst én dato."],
    [{ dateFrom: "02.11.2026", dateTo: "01.11.2026" }, "Fra-datoen kan ikke være efter til-datoen."],
    [{ dateFrom: "01.11.2025", dateTo: "02.11.2026" }, "Perioden kan højst være et år."],
    [{ dateFrom: "i går" }, "Skriv en dato som dd.mm.åååå."],
  ])("by date: %j is refused", async (dates, text) => {
    const parsed = exportByDates.input.safeParse(dates);
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([text]);
    await expect(portal.as(admin, exportByDates, dates)).rejects.toMatchObject({ name: "invalid" });
    expect(exportByDates.input.safeParse({ dateFrom: "01.11.2025", dateTo: "01.11.2026" }).success).toBe(true);
  });

  test("reports that there is nothing to export, and does not record it as an export", async () => {
    expect(await portal.as(admin, exportByDates, { dateFrom: "01.01.2020" })).toEqual({
      flash: { tone: "info", text: "Ingen data..." },
    });
    expect(await portal.as(admin, readExportPage, {})).toMatchObject({ lastExportAt: null, filteredCount: 0 });
  });

  test("exports all in the list's filter, or in its standard statuses", async () => {
    const [open, closed] = [
      await aReferral(portal, dentist),
      await aReferral(portal, dentist, { firstName: "Ærenfryd" }),
    ];
    await portal.db.updateTable("referral").set({ status: 7 }).where("id", "=", closed).execute();
    expect(await idsOf((await portal.as(admin, exportFiltered, {})).to)).toEqual([open]);
    const { to } = await portal.as(admin, applyFilter, { patientName: "ærenfryd", statuses: ["7"] });
    const f = new URLSearchParams(to!.split("?")[1]).get("f")!;
    expect(await idsOf((await portal.as(admin, exportFiltered, { f })).to)).toEqual([closed]);
    expect(await portal.as(admin, readExportPage, { f })).toMatchObject({ filteredCount: 1, isFiltered: true });
    await expect(portal.as(admin, exportFiltered, { f: "forkert" })).rejects.toMatchObject({ name: "invalid" });
  });

  test("marks exported referrals and dates the export, without a conflict", async () => {
    const [id, other] = [await aReferral(portal, dentist), await aReferral(portal, dentist)];
    const { statusVersion: version } = await portal.db
      .selectFrom("referral")
      .select("statusVersion")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await bytesOf((await portal.as(admin, exportPicked, { pick: [String(id)] })).to);
    expect(await portal.db.selectFrom("referral").select(["id", "exportedToCsv"]).orderBy("id").execute()).toEqual([
      { id, exportedToCsv: true },
      { id: other, exportedToCsv: false },
    ]);
    expect((await portal.as(admin, readExportPage, {})).lastExportAt).toBe("2026-12-01T09:00:00.000Z");
    await portal.as(admin, setStatus, { referralId: id, status: 2, seenVersion: version });
    await portal.audit.flush();
    const seen = await portal.db
      .selectFrom("auditEvent")
      .innerJoin("auditReferral", "auditReferral.auditEventId", "auditEvent.id")
      .select(["actorId", "referralId"])
      .where("operation", "=", "downloadExport")
      .where("referralId", "=", id)
      .execute();
    expect(seen).toEqual([{ actorId: admin.id, referralId: id }]);
  });

  test("the download's address works for one person only and reveals no referral", async () => {
    const id = await aReferral(portal, dentist, { firstName: "Ærenfryd" });
    const { to } = await portal.as(admin, exportPicked, { pick: [String(id)] });
    const colleague = await aPerson(portal, { role: "Surgeon" });
    await expect(bytesOf(to, colleague)).rejects.toMatchObject({ name: "notInScope" });
    await expect(portal.as(admin, downloadExport, { e: "x.y" })).rejects.toMatchObject({ name: "notInScope" });
    await expect(portal.as(admin, exportPicked, { pick: [] })).rejects.toMatchObject({ name: "invalid" });
    await expect(portal.as(dentist, exportPicked, { pick: [String(id)] })).rejects.toMatchObject({
      name: "notAllowed",
    });
  });

  test("the download's address is valid for an hour", async () => {
    const { to } = await portal.as(admin, exportPicked, { pick: [String(await aReferral(portal, dentist))] });
    portal.clock.advance({ minutes: 59 });
    expect((await bytesOf(to)).length).toBeGreaterThan(0);
    portal.clock.advance({ minutes: 2 });
    await expect(bytesOf(to)).rejects.toMatchObject({
      name: "notInScope",
      text: "Linket til eksporten gælder ikke længere. Begynd eksporten igen.",
    });
  });

  test("exports more than a batch, with equal dates, each referral exactly once", async () => {
    const id = await aReferral(portal, dentist);
    const { version: _version, ...copy } = copyOfRow(
      await portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    );
    for (let part = 0; part < 11; part += 1) {
      await portal.db
        .insertInto("referral")
        .values(
          Array.from({ length: 100 }, () => ({ ...copy, createDate: `2026-11-${10 + (part % 3)}T10:00:00.000Z` })),
        )
        .execute();
    }
    const ids = await idsOf(
      (await portal.as(admin, exportByDates, { dateFrom: "01.11.2026", dateTo: "01.12.2026" })).to,
    );
    expect([ids.length, new Set(ids).size]).toEqual([1101, 1101]);
    const marked = await portal.db
      .selectFrom("referral")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .where("exportedToCsv", "=", true)
      .executeTakeFirstOrThrow();
    expect(Number(marked.n)).toBe(1101);
  });
});
