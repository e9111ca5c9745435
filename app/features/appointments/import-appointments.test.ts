import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { addHours } from "date-fns";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sealedImport } from "~/access/sealed-column.server";
import { removeExpired } from "~/features/maintenance/remove-expired.server";
import { COUNTS } from "~/lists/read-page.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-upload.server";
import { readOpenReferral } from "~/features/open-referral/read-open-referral.server";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { listFreedTimes } from "~/features/freed-times/list-freed-times.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { failImport, importRows } from "./import-appointments.server";
import { listImportLog } from "./list-import-log.server";
import { IMPORTED, importStatuses, UNCHANGED } from "./import-rules";
import { isAppointmentFileMissing, readAppointmentFile } from "./read-appointments.server";
import { questionName } from "./questions";
import { startImport } from "./start-import.server";
import { uploadAppointments } from "./upload-appointments.server";

const head = "CPR;Navn;Mobil;E-mail;Dato;Tid;Varighed;Kode;Behandler;Status";

forEachDatabase("importing appointment times", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let surgeon: Person;
  let referralId: number;
  const system = { kind: "system", job: "worker" } as const;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const clinic = await aClinic(portal);
    admin = await aPerson(portal, { role: "Admin" });
    surgeon = await aPerson(portal, { role: "Surgeon" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinic] });
    await portal.db
      .insertInto("treatment_type")
      .values({
        name: "Operation",
        name_sort: "operation",
        external_appointment_ids: "OP-48, OP-49",
        patient_recommendation_link: null,
        deleted_at: null,
      })
      .execute();
    referralId = await aReferral(portal, dentist, { cpr6: "610181", cpr4: "4001" });
  });
  afterAll(() => portal.close());

  let uploads = 0;
  async function upload(text: string): Promise<number> {
    const formKey = `upload-${++uploads}`;
    const file = path.join(os.tmpdir(), `${process.pid}-${dialect}-${formKey}.csv`);
    await writeFile(file, text);
    const result = await storeUpload(portal, file, "tider.csv", "appointments");
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(admin, stageUploads, {
      formKey,
      files: [{ ...result.accepted, field: "AppointmentFile", kind: "appointments" }],
    });
    const { to } = await portal.as(admin, uploadAppointments, { formKey });
    return Number(to?.split("/").at(-1));
  }
  const shown = async (fileId: number) =>
    (await portal.as(admin, readAppointmentFile, { fileId, page: 1 })).rows.map(
      (row) => importStatuses[row.status]!.label,
    );
  const open = async () => presentReferral(await portal.as(admin, readOpenReferral, { referralId }));
  const work = async () => {
    while ((await portal.as(system, importRows, {})).data?.imported !== 0);
  };
  async function importAll(fileId: number, answers: object = {}) {
    await portal.as(admin, startImport, { fileId, ...answers });
    await work();
  }
  const read = (fileId: number) => portal.as(admin, readAppointmentFile, { fileId, page: 1 });

  test("the dry run imports nothing; 'Importér' fills the plan, and importing the same file again changes nothing", async () => {
    const text = `${head}\n610181-4001;;;;02.12.2026;09:30;45;OP-48;${surgeon.firstName} ${surgeon.lastName};\n610181-4002;;;;02.12.2026;10:30;45;OP-48;;\n`;
    const first = await upload(text);
    // Outcomes of the dry run are announced, not told as done.
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
      sections: { appointments: [{ date: "02.12.2026 kl. 09.30", externalCode: "OP-48", isCancelled: false }] },
    });
    expect((await open()).log[0]).toMatchObject({ what: "Tid importeret: 02.12.2026 kl. 09.30, Operation" });
    const again = await upload(text);
    expect(await shown(again)).toEqual(["Uændret", "Patient ikke fundet"]);
    await importAll(again);
    expect((await open()).version).toBe(before + 1);
  });

  /** Lines of nobody's before and after the days of these tests, as the calendar of a clinic has them. */
  const others = "610181-9998;;;;01.12.2026;11:00;45;OP-48;;\n610181-9998;;;;31.12.2026;11:00;45;OP-48;;\n";
  const lineOf = (cpr: string, date: string, status = "") => `${cpr};;;;${date};08:30;30;OP-48;;${status}\n`;
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
        .select("operation_date")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const [kept] = lines.filter((line) => !line.endsWith("aflyst"));
      expect(plan.operation_date).toBe(kept === undefined ? null : kept.split(".").toReversed().join("-"));
    },
  );

  test("moves a moved appointment, cancels a cancelled one, and the referral follows the next one", async () => {
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
    // The surgeon may be ill: the clinic's own system says that it is off, not that somebody else can have it.
    expect(await portal.as(admin, listFreedTimes, {})).toEqual({ freedTimes: [] });
  });

  test("the same line twice is imported once, and a closed referral is not found", async () => {
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
      "Patient ikke fundet",
    ]);
  });

  const ofNobody = (count: number) =>
    Array.from({ length: count }, (_, nth) => `610181-${1000 + nth};;;;17.12.2026;08:00;15;OP-48;;\n`).join("");

  test("pressing 'Importér' twice imports once and leaves no row waiting", async () => {
    const file = await upload(`${head}\n${ofNobody(250)}`);
    await portal.as(admin, startImport, { fileId: file });
    await portal.as(admin, startImport, { fileId: file });
    const steps: unknown[] = [];
    for (let turn = 0; turn < 5; turn += 1) steps.push((await portal.as(system, importRows, {})).data?.imported);
    expect(steps).toEqual([100, 100, 50, 0, 0]);
    expect(await portal.as(admin, readAppointmentFile, { fileId: file, page: 9 })).toMatchObject({
      page: 5,
      rowsDone: 250,
      isImporting: false,
    });
  });

  test("an import that an unexpected error stopped is shown as failed, keeps what it imported, and continues when it is retried", async () => {
    const file = await upload(`${head}\n${ofNobody(101)}`);
    const last = portal.db.updateTable("appointment_import").where("file_id", "=", file).where("line", "=", 102);
    const whole = await portal.db
      .selectFrom("appointment_import")
      .select(["row_key", "values_encrypted"])
      .where("file_id", "=", file)
      .limit(1)
      .executeTakeFirstOrThrow();
    await last.set(sealedImport.seal(portal.secrets, "no row")).execute();
    await portal.as(admin, startImport, { fileId: file });
    await portal.as(system, importRows, {});
    await expect(portal.as(system, importRows, {})).rejects.toThrow(SyntaxError);
    await portal.as(system, failImport, {});
    expect((await portal.as(system, importRows, {})).data?.imported).toBe(0);
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

  test("the log tells what became of each row, by number, CPR number, day, status and code", async () => {
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

  describe("a dry run is carried out as it was shown", () => {
    let nth = 0;
    /** A patient with a referral, whose plan has the times of a first file. */
    async function aPatient(...days: string[]) {
      const cpr6 = dialect === "sqlite" ? "620181" : "630181";
      const cpr4 = String(5000 + (nth += 1));
      const id = await aReferral(portal, dentist, { cpr6, cpr4 });
      const cpr = `${cpr6}-${cpr4}`;
      if (days.length > 0) await importAll(await upload(`${head}\n${days.map((day) => lineOf(cpr, day)).join("")}`));
      const plan = async () =>
        (
          await portal.db
            .selectFrom("visit_appointment")
            .select("date")
            .where("referral_id", "=", id)
            .where("is_cancelled", "=", 0)
            .orderBy("date")
            .execute()
        ).map(({ date }) => date);
      return { id, cpr, plan };
    }
    const changes = {
      "another version": (id: number) =>
        portal.db.updateTable("referral").set({ version: 99 }).where("id", "=", id).execute(),
      "another status": (id: number) =>
        portal.db.updateTable("referral").set({ status: 3 }).where("id", "=", id).execute(),
      "another appointment": (id: number) =>
        portal.db
          .insertInto("visit_appointment")
          .values({
            referral_id: id,
            date: "2026-12-20",
            time: "09:00",
            duration_minutes: null,
            treatment: "Operation",
            external_code: "OP-48",
            is_cancelled: 0,
            modified_at: "2026-12-01 09:00:00.000",
          })
          .execute(),
    };

    test.each(Object.entries(changes))(
      "a line whose referral got %s is shown again, the rest imported",
      async (_, change) => {
        const [changed, other] = [await aPatient(), await aPatient()];
        const file = await upload(`${head}\n${lineOf(other.cpr, "10.12.2026")}${lineOf(changed.cpr, "10.12.2026")}`);
        await change(changed.id);
        const before = await changed.plan();
        await importAll(file);
        expect([await other.plan(), await changed.plan()]).toEqual([["2026-12-10"], before]);
        const shownAgain = await read(file);
        expect(shownAgain).toMatchObject({ isWaiting: true, canStart: true, rowsDone: 1, rowCount: 2 });
        expect(shownAgain.rows[0]).toMatchObject({ line: 3, isShownAgain: true, isDone: false, status: IMPORTED });
        await importAll(
          file,
          Object.fromEntries(shownAgain.questions.map(({ rowId }) => [questionName(rowId), "ekstra"])),
        );
        expect(await changed.plan()).toEqual(["2026-12-10", ...before]);
        expect(await read(file)).toMatchObject({ isWaiting: false, rowsDone: 2 });
      },
    );

    test("a time that may be moved is asked about, and is what is answered", async () => {
      const patients = [await aPatient("10.12.2026"), await aPatient("10.12.2026")] as const;
      const file = await upload(`${head}\n${patients.map(({ cpr }) => lineOf(cpr, "17.12.2026")).join("")}`);
      const { questions } = await read(file);
      expect(questions.map(({ line, asks }) => [line, asks.map(({ date, time }) => [date, time])])).toEqual([
        [2, [["2026-12-10", "08:30"]]],
        [3, [["2026-12-10", "08:30"]]],
      ]);
      const [one, other] = questions.map(({ rowId }) => questionName(rowId)) as [string, string];
      await expect(
        portal.as(admin, startImport, { fileId: file, [one]: "ekstra", [other]: "0" }),
      ).rejects.toMatchObject({
        name: "invalid",
        fields: { [other]: ["Vælg, om tiden er flyttet eller ekstra."] },
      });
      await importAll(file, { [one]: "ekstra", [other]: String(questions[1]!.asks[0]!.id) });
      expect([await patients[0].plan(), await patients[1].plan()]).toEqual([
        ["2026-12-10", "2026-12-17"],
        ["2026-12-17"],
      ]);
      expect((await read(file)).rows.map(({ note }) => note)).toEqual([
        "Valgt: en ekstra tid.",
        "Valgt: flyttet fra 10.12.2026 kl. 08.30.",
      ]);
    });

    test("one appointment is not moved to two lines", async () => {
      const { cpr, plan } = await aPatient("10.12.2026");
      const file = await upload(`${head}\n${lineOf(cpr, "17.12.2026")}${lineOf(cpr, "18.12.2026")}`);
      const { questions } = await read(file);
      const moved = Object.fromEntries(questions.map(({ rowId, asks }) => [questionName(rowId), String(asks[0]!.id)]));
      await expect(portal.as(admin, startImport, { fileId: file, ...moved })).rejects.toMatchObject({
        fields: { [questionName(questions[1]!.rowId)]: ["Tiden er allerede valgt på linje 2."] },
      });
      expect(await plan()).toEqual(["2026-12-10"]);
    });

    test("unattended, such a time is a further one, and its outcome says so", async () => {
      const { cpr, plan } = await aPatient("10.12.2026");
      const file = await upload(`${head}\n${lineOf(cpr, "17.12.2026")}`);
      await importAll(file, { isUnattended: true });
      expect(await plan()).toEqual(["2026-12-10", "2026-12-17"]);
      expect((await read(file)).rows[0]).toMatchObject({
        status: IMPORTED,
        note: "Regnet som en ekstra tid: filen siger ikke, om den er flyttet fra 10.12.2026 kl. 08.30.",
      });
    });

    test("unattended, a line whose referral changed is judged again and imported", async () => {
      const { id, cpr, plan } = await aPatient();
      const file = await upload(`${head}\n${lineOf(cpr, "10.12.2026")}`);
      await changes["another version"](id);
      await importAll(file, { isUnattended: true });
      expect([await plan(), (await read(file)).isWaiting]).toEqual([["2026-12-10"], false]);
    });

    test("two appointments of one code stay, and are unchanged every day", async () => {
      const { cpr, plan } = await aPatient("10.12.2026", "17.12.2026");
      for (let day = 0; day < 2; day += 1) {
        const file = await upload(`${head}\n${lineOf(cpr, "17.12.2026")}${lineOf(cpr, "10.12.2026")}`);
        expect(await shown(file)).toEqual(["Uændret", "Uændret"]);
        await importAll(file);
      }
      expect(await plan()).toEqual(["2026-12-10", "2026-12-17"]);
    });

    test("another person may look at a dry run and not import it", async () => {
      const file = await upload(`${head}\n${ofNobody(1)}`);
      const other = await aPerson(portal, { role: "Surgeon" });
      expect(await portal.as(other, readAppointmentFile, { fileId: file, page: 1 })).toMatchObject({ canStart: false });
      await expect(portal.as(other, startImport, { fileId: file })).rejects.toMatchObject({
        name: "notAllowed",
        text: "Prøvekørslen er en andens. Upload filen selv, hvis du vil importere den.",
      });
    });

    test("a dry run cannot be imported after a day, and is then deleted", async () => {
      const [file, made] = [await upload(`${head}\n${ofNobody(2)}`), portal.clock.now()];
      portal.clock.set(addHours(made, 25).toISOString());
      await expect(portal.as(admin, startImport, { fileId: file })).rejects.toMatchObject({ name: "conflict" });
      await portal.as(system, removeExpired, {});
      portal.clock.set(made.toISOString());
      expect(
        await portal.db.selectFrom("appointment_import").select("id").where("file_id", "=", file).execute(),
      ).toEqual([]);
      await expect(read(file)).rejects.toMatchObject({ name: "notInScope" });
    });

    test("what was decided is deleted once it is imported", async () => {
      const file = await upload(`${head}\n${ofNobody(1)}`);
      const plans = async () =>
        (await portal.db.selectFrom("appointment_import").select("plan").where("file_id", "=", file).execute()).map(
          ({ plan }) => plan !== null,
        );
      expect(await plans()).toEqual([true]);
      await importAll(file);
      expect(await plans()).toEqual([false]);
    });
  });

  test("the log counts the rows of an import at once, also where counts are kept", async () => {
    const total = async () => (await portal.as(admin, listImportLog, { countsAll: true })).total;
    const before = await total();
    // A count that was slow is kept for a minute under this key.
    const key = `${COUNTS} importLog all ${admin.id} {} all`;
    await portal.cache.getIfSlow(key, () => setTimeout(20, before + 100));
    expect(await total()).toBe(before + 100);
    await importAll(await upload(`${head}\n${ofNobody(3)}`));
    expect(await total()).toBe(before + 3);
  });

  test("shows the alert on a weekday after ten until a file has been imported", async () => {
    const missing = async (moment: string) => {
      portal.cache.invalidate("appointment file missing");
      portal.clock.set(moment);
      return isAppointmentFileMissing(portal, admin, portal.clock.now());
    };
    // A Thursday at nine and eleven by the clock in Copenhagen, a Saturday, and staff alone.
    expect(await missing("2026-12-03T08:00:00.000Z")).toBe(false);
    expect(await missing("2026-12-03T10:00:00.000Z")).toBe(true);
    expect(await missing("2026-12-05T10:00:00.000Z")).toBe(false);
    portal.clock.set("2026-12-03T10:05:00.000Z");
    expect(await isAppointmentFileMissing(portal, dentist, portal.clock.now())).toBe(false);
    await importAll(await upload(`${head}\n610181-4001;;;;17.12.2026;08:00;15;OP-48;;\n`));
    expect(await missing("2026-12-03T10:06:00.000Z")).toBe(false);
  });
});
