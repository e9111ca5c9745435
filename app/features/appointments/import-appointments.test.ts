import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sealedImport } from "~/access/sealed-column.server";
import { COUNTS } from "~/lists/read-page.server";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { listFreedTimes } from "~/features/freed-times/list-freed-times.server";
import { presentFile } from "~/routes/management.aftaletider_.$fileId/route";
import { aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { appointmentsPortal, head, lineOf, ofNobody, SYSTEM } from "../../../tests/support/portals/appointments-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { failImport, importRows } from "./import-appointments.server";
import { startImport, missingAppointmentFile, readAppointmentFile } from "./operations.server";
import { IMPORTED, importStatuses, UNCHANGED } from "./import-rules";
import { listImportLog } from "./import-log-list.server";

forEachDatabase("importing appointment times", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let surgeon: Person;
  let referralId: number;
  const { upload, read, shown, importAll } = appointmentsPortal(dialect, (begun) => {
    ({ portal, admin, dentist, surgeon } = begun);
  });
  beforeAll(async () => {
    referralId = await aReferral(portal, dentist, { cpr6: "610181", cpr4: "4001" });
  });
  const open = async () => presentReferral(await portal.as(admin, readOpenReferral, { referralId }));

  test("the dry run imports nothing; the same file imported again changes nothing", async () => {
    const text = `${head}\n610181-4001;;;;02.12.2026;09:30;45;OP-48;${surgeon.firstName} ${surgeon.lastName};\n610181-4002;;;;02.12.2026;10:30;45;OP-48;;\n`;
    const first = await upload(text);
    expect(
      (await portal.as(admin, readAppointmentFile, { fileId: first, page: 1 })).rows.map(({ status, isDone }) => [
        importStatuses[status]!.label,
        isDone,
      ]),
    ).toEqual([
      ["Tid importeret", false],
      ["Patient ikke fundet", false],
    ]);
    expect((await open()).sections.appointments).toEqual([]);
    const before = (await open()).version;
    await importAll(first);
    expect(await open()).toMatchObject({
      version: before + 1,
      plan: {
        at: "02.12.2026 kl. 09.30",
        duration: "45 min.",
        treatmentType: "Operation",
        surgeon: `${surgeon.firstName} ${surgeon.lastName}`,
      },
      sections: { appointments: [{ date: "02.12.2026 09.30", externalCode: "OP-48", isCancelled: false }] },
    });
    expect((await open()).log[0]).toMatchObject({ what: "Tid importeret: 02.12.2026 kl. 09.30, Operation" });
    const again = await upload(text);
    expect(await shown(again)).toEqual(["Uændret", "Patient ikke fundet"]);
    await importAll(again);
    expect((await open()).version).toBe(before + 1);
  });

  test("of two surgeons of a name one is chosen before the import, and none by the API", async () => {
    const [one, other] = [await aPerson(portal, { role: "Surgeon" }), await aPerson(portal, { role: "Surgeon" })];
    const name = { firstName: "Ida", lastName: "Ensnavn", nameSort: "ensnavn ida" };
    await portal.db.updateTable("user").set(name).where("id", "in", [one.id, other.id]).execute();
    const cpr6 = dialect === "sqlite" ? "610182" : "610183";
    const id = await aReferral(portal, dentist, { cpr6, cpr4: "4001" });
    const lines = (day: string) => `${head}\n${cpr6}-4001;;;;${day};09:30;45;OP-48;ida  ensnavn;\n`;
    const surgeonOf = async () =>
      (await portal.db.selectFrom("referral").select("surgeonId").where("id", "=", id).executeTakeFirstOrThrow())
        .surgeonId;
    const fileId = await upload(lines("16.12.2026"));
    const { surgeonQuestions } = await portal.as(admin, readAppointmentFile, { fileId, page: 1 });
    expect(surgeonQuestions).toEqual([
      { name: `kirurg${one.id}-${other.id}`, lines: 1, surgeons: [expect.anything(), expect.anything()] },
    ]);
    await expect(portal.as(admin, startImport, { fileId })).rejects.toMatchObject({ name: "invalid" });
    await importAll(fileId, { [surgeonQuestions[0]!.name]: String(other.id) });
    expect(await surgeonOf()).toBe(other.id);
    const next = await upload(lines("15.12.2026"));
    await importAll(next, { isUnattended: true });
    expect((await read(next)).rows[0]!.note).toContain("Uden kirurg: der er flere kirurger med det navn.");
  });

  test("a closed referral is named, not reported as a patient who is not found", async () => {
    const cpr6 = dialect === "sqlite" ? "610184" : "610185";
    const id = await aReferral(portal, dentist, { cpr6, cpr4: "4001" });
    await portal.db.updateTable("referral").set({ status: 7 }).where("id", "=", id).execute();
    const fileId = await upload(`${head}\n${lineOf(`${cpr6}-4001`, "17.12.2026")}`);
    expect(await shown(fileId)).toEqual(["Henvisningen er afsluttet"]);
    expect((await read(fileId)).rows[0]).toMatchObject({
      referralId: id,
      note: `Henvisning nr. ${id} er afsluttet.`,
    });
  });

  const doubtful = [
    ["an unknown status", ";;;17.12.2026;09:30;45;OP-48;;Afbud", "status", "Status"],
    ["an unknown surgeon", ";;;17.12.2026;09:30;45;OP-48;Ukendt K. Kirurg;", "surgeon", "Behandler"],
    ["a day far ahead", ";;;17.12.2126;09:30;45;OP-48;;", "day", "dag"],
    ["a day long ago", ";;;17.10.2026;09:30;45;OP-48;;", "day", "dag"],
    ["another name", "Heinrich Fremmed;;;17.12.2026;09:30;45;OP-48;;", "name", "Heinrich Fremmed"],
  ] as const;
  test.each(doubtful.map((row, index) => [...row, index] as const))(
    "%s is asked about before anything is imported",
    async (_, cells, doubt, word, index) => {
      const cpr = `610186-60${dialect === "sqlite" ? 1 : 2}${index}`;
      const id = await aReferral(portal, dentist, { cpr6: cpr.slice(0, 6), cpr4: cpr.slice(7) });
      const line = `${head}\n${cpr};${cells.replace(/^;/, ";")}\n`;
      const planOfReferral = () =>
        portal.db.selectFrom("visitAppointment").select("date").where("referralId", "=", id).execute();
      const fileId = await upload(line);
      const page = await portal.as(admin, readAppointmentFile, { fileId, page: 1 });
      expect(page.doubtQuestions).toMatchObject([{ doubt, lines: 1 }]);
      const [question] = presentFile(JSON.parse(JSON.stringify(page))).doubtQuestions;
      expect(question!.label).toContain(word);
      await expect(portal.as(admin, startImport, { fileId })).rejects.toMatchObject({ name: "invalid" });
      await importAll(fileId, { [question!.name]: "nej" });
      expect([await planOfReferral(), await shown(fileId)]).toEqual([[], ["Ikke importeret"]]);
      const again = await upload(line);
      const [asked] = (await portal.as(admin, readAppointmentFile, { fileId: again, page: 1 })).doubtQuestions;
      await importAll(again, { [asked!.name]: "ja" });
      expect(await planOfReferral()).toHaveLength(1);
    },
  );

  test("a word that means cancelled cancels the time once it is shown so", async () => {
    const cpr = dialect === "sqlite" ? "610187-4001" : "610188-4001";
    await aReferral(portal, dentist, { cpr6: cpr.slice(0, 6), cpr4: cpr.slice(7) });
    await importAll(await upload(`${head}\n${cpr};;;;17.12.2026;09:30;45;OP-48;;\n`));
    const fileId = await upload(`${head}\n${cpr};;;;17.12.2026;09:30;45;OP-48;;Annulleret af patient\n`);
    const [question] = (await portal.as(admin, readAppointmentFile, { fileId, page: 1 })).doubtQuestions;
    await importAll(fileId, { [question!.name]: "aflyst" });
    expect((await read(fileId)).rows).toMatchObject([{ isDone: false, isShownAgain: true, asks: false }]);
    expect(await shown(fileId)).toEqual(["Tid aflyst"]);
    await importAll(fileId);
    expect((await read(fileId)).rows).toMatchObject([{ isDone: true, status: 8 }]);
  });

  test("the API imports no line of another name, and says why", async () => {
    const cpr = dialect === "sqlite" ? "610189-4001" : "610190-4001";
    await aReferral(portal, dentist, { cpr6: cpr.slice(0, 6), cpr4: cpr.slice(7) });
    const fileId = await upload(`${head}\n${cpr};Heinrich Fremmed;;;17.12.2026;09:30;45;OP-48;;\n`);
    await importAll(fileId, { isUnattended: true });
    expect((await read(fileId)).rows).toMatchObject([
      { status: 11, note: "Navnet er et andet end henvisningens.", name: "Heinrich Fremmed" },
    ]);
  });

  /** Rows of an unrelated patient before and after the days of these tests, as in a real calendar. */
  const others = "610181-9998;;;;01.12.2026;11:00;45;OP-48;;\n610181-9998;;;;31.12.2026;11:00;45;OP-48;;\n";
  const cancelling = [
    ["a day that is over", ["17.12.2026", "02.11.2026 aflyst"], ["Uændret", "Uændret"]],
    ["the former day, after the new one", ["10.12.2026", "17.12.2026 aflyst"], ["Tid opdateret", "Uændret"]],
    ["the former day, before the new one", ["17.12.2026 aflyst", "10.12.2026"], ["Uændret", "Tid opdateret"]],
    ["the very day", ["17.12.2026 aflyst"], ["Tid aflyst"]],
  ] as const;
  test.each(cancelling.map((row, index) => [...row, index] as const))(
    "a cancelled line of %s cancels that day's appointment alone",
    async (_, lines, outcomes, index) => {
      const cpr = `610181-50${dialect === "sqlite" ? 1 : 2}${index}`;
      const id = await aReferral(portal, dentist, { cpr6: cpr.slice(0, 6), cpr4: cpr.slice(7) });
      await importAll(await upload(`${head}\n${lineOf(cpr, "17.12.2026")}`));
      const next = await upload(
        `${head}\n${lines.map((line) => lineOf(cpr, ...(line.split(" ") as [string]))).join("")}`,
      );
      await importAll(next);
      expect(await shown(next)).toEqual(outcomes);
      const plan = await portal.db
        .selectFrom("referral")
        .select("operationDate")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const [kept] = lines.filter((line) => !line.endsWith("aflyst"));
      expect(plan.operationDate).toBe(kept === undefined ? null : kept.split(".").toReversed().join("-"));
    },
  );

  test("moves a moved appointment, cancels a cancelled one, and sets the referral's next", async () => {
    await importAll(
      await upload(
        `${head}\n${others}610181-4001;;;;03.12.2026;11:00;45;OP-48;;\n610181-4001;;;;10.12.2026;08:00;15;OP-49;;\n`,
      ),
    );
    expect((await open()).plan.at).toBe("03.12.2026 kl. 11.00");
    await importAll(await upload(`${head}\n610181-4001;;;;03.12.2026;11:00;45;OP-48;;aflyst\n`));
    expect(await open()).toMatchObject({
      plan: { at: "10.12.2026 kl. 08.00" },
      sections: { appointments: [{ isCancelled: true }, { isCancelled: false }] },
    });
    expect(await portal.as(admin, listFreedTimes, {})).toEqual({ freedTimes: [] });
  });

  test("the same line twice is imported once, and a closed one is named", async () => {
    const file = await upload(
      `${head}\n610181-4001;;;;17.12.2026;08:00;15;OP-48;;\n610181-4001;;;;17.12.2026;08:00;15;OP-48;;\n`,
    );
    const outcomes = [
      { status: IMPORTED, note: null },
      { status: UNCHANGED, note: "Samme tid som linje 2." },
    ];
    expect(await read(file)).toMatchObject({ rows: outcomes });
    await importAll(file);
    expect(await read(file)).toMatchObject({ rows: outcomes.map((each) => ({ ...each, isDone: true })) });
    await portal.db.updateTable("referral").set({ status: 7 }).where("id", "=", referralId).execute();
    expect(await shown(await upload(`${head}\n610181-4001;;;;17.12.2026;08:00;15;OP-48;;\n`))).toEqual([
      "Henvisningen er afsluttet",
    ]);
  });

  test("pressing 'Importér' twice imports once and leaves no row waiting", async () => {
    const file = await upload(`${head}\n${ofNobody(250)}`);
    await portal.as(admin, startImport, { fileId: file });
    await portal.as(admin, startImport, { fileId: file });
    const steps: unknown[] = [];
    for (let turn = 0; turn < 5; turn += 1) steps.push((await portal.as(SYSTEM, importRows, {})).data?.imported);
    expect(steps).toEqual([100, 100, 50, 0, 0]);
    expect(await portal.as(admin, readAppointmentFile, { fileId: file, page: 9 })).toMatchObject({
      page: 5,
      rowsDone: 250,
      isImporting: false,
    });
  });

  test("a stopped import is shown as failed, keeps its rows, and continues when retried", async () => {
    const file = await upload(`${head}\n${ofNobody(101)}`);
    const last = portal.db.updateTable("appointmentImport").where("fileId", "=", file).where("line", "=", 102);
    const whole = await portal.db
      .selectFrom("appointmentImport")
      .select(["rowKey", "valuesEncrypted"])
      .where("fileId", "=", file)
      .limit(1)
      .executeTakeFirstOrThrow();
    await last.set(sealedImport.seal(portal.secrets, "no row")).execute();
    await portal.as(admin, startImport, { fileId: file });
    await portal.as(SYSTEM, importRows, {});
    await expect(portal.as(SYSTEM, importRows, {})).rejects.toThrow(SyntaxError);
    await portal.as(SYSTEM, failImport, {});
    expect((await portal.as(SYSTEM, importRows, {})).data?.imported).toBe(0);
    await last.set(whole).execute();
    expect(await portal.as(admin, readAppointmentFile, { fileId: file, page: 1 })).toMatchObject({
      isFailed: true,
      isImporting: false,
      rowsDone: 100,
    });
    await importAll(file);
    expect(await portal.as(admin, readAppointmentFile, { fileId: file, page: 1 })).toMatchObject({
      isFailed: false,
      isImporting: false,
      rowsDone: 101,
    });
    expect((await portal.as(admin, readAppointmentFile, { fileId: file, page: 1 })).importedAt).not.toBeNull();
  });

  test("the log tells what became of each row, by number, CPR, day, status and code", async () => {
    const rows = async (filter: object) => {
      const log = await portal.as(admin, listImportLog, { filter });
      return log.rows.map(({ status, code, referralId: of }) => [importStatuses[status]!.label, code, of]);
    };
    const [imported] = (await portal.as(admin, listImportLog, { filter: { visitNumber: referralId } })).rows;
    const { cpr, status, code } = imported!;
    const label = importStatuses[status]!.label;
    const ofReferral = await rows({ visitNumber: referralId });
    expect(ofReferral.every(([, , of]) => of === referralId)).toBe(true);
    expect(await rows({ cpr: cpr! })).toEqual(expect.arrayContaining(ofReferral));
    expect((await rows({ cpr: cpr!.slice(0, 6) })).length).toBeGreaterThan(0);
    expect(new Set((await rows({ status })).map(([each]) => each))).toEqual(new Set([label]));
    expect(new Set((await rows({ externalCode: code })).map(([, each]) => each))).toEqual(new Set([code]));
    expect(await rows({ dateFrom: "2000-01-01", dateTo: "2099-12-31" })).toEqual(await rows({}));
    expect(
      await Promise.all(
        [{ externalCode: "no-such" }, { dateFrom: "2100-01-01" }, { cpr: `${cpr!.slice(0, 6)}-0000` }].map(rows),
      ),
    ).toEqual([[], [], []]);
    await expect(portal.as(dentist, listImportLog, {})).rejects.toMatchObject({ name: "notAllowed" });
  });

  test("the log counts the rows of an import at once, also where counts are kept", async () => {
    const total = async () => (await portal.as(admin, listImportLog, { countsAll: true })).total;
    const before = await total();
    const key = `${COUNTS} importLog all ${admin.id} {} all`;
    // On a busy machine the count before is slow enough to be kept itself.
    await portal.cache.invalidate(COUNTS);
    await portal.cache.getIfSlow(key, () => setTimeout(20, before + 100));
    expect(await total()).toBe(before + 100);
    await importAll(await upload(`${head}\n${ofNobody(3)}`));
    expect(await total()).toBe(before + 3);
  });

  test("a weekday misses its file until one is imported, and is late from ten", async () => {
    const missing = async (moment: string) => {
      portal.cache.invalidate("appointment file missing");
      portal.clock.set(moment);
      return missingAppointmentFile(portal, admin, portal.clock.now());
    };
    // Thursday at nine and eleven, Copenhagen time, and a Saturday; staff only.
    expect(await missing("2026-12-03T08:00:00.000Z")).toBe("awaited");
    expect(await missing("2026-12-03T10:00:00.000Z")).toBe("late");
    expect(await missing("2026-12-05T10:00:00.000Z")).toBeNull();
    portal.clock.set("2026-12-03T10:05:00.000Z");
    expect(await missingAppointmentFile(portal, dentist, portal.clock.now())).toBeNull();
    await importAll(await upload(`${head}\n610181-4001;;;;17.12.2026;08:00;15;OP-48;;\n`));
    expect(await missing("2026-12-03T10:06:00.000Z")).toBeNull();
  });
});
