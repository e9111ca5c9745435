import { addHours } from "date-fns";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sealedImport } from "~/access/sealed-column.server";
import { removeExpired } from "~/features/maintenance/operations.server";
import { aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { appointmentsPortal, head, lineOf, ofNobody, SYSTEM } from "../../../tests/support/portals/appointments-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { IMPORTED, questionName, UNREADABLE } from "./import-rules";
import { readAppointmentFile, startImport } from "./operations.server";

forEachDatabase("a dry run of appointment times is carried out as it was shown", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  const { upload, read, shown, importAll } = appointmentsPortal(dialect, (begun) => {
    ({ portal, admin, dentist } = begun);
  });
  let nth = 0;
  async function aPatient(...days: string[]) {
    const cpr6 = "620181";
    const cpr4 = String(5000 + (nth += 1));
    const id = await aReferral(portal, dentist, { cpr6, cpr4 });
    const cpr = `${cpr6}-${cpr4}`;
    if (days.length > 0) await importAll(await upload(`${head}\n${days.map((day) => lineOf(cpr, day)).join("")}`));
    const plan = async () =>
      (
        await portal.db
          .selectFrom("visitAppointment")
          .select("date")
          .where("referralId", "=", id)
          .where("isCancelled", "=", false)
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
        .insertInto("visitAppointment")
        .values({
          referralId: id,
          date: "2026-12-20",
          time: "09:00",
          durationMinutes: null,
          treatment: "Operation",
          externalCode: "OP-48",
          isCancelled: false,
          modifiedAt: "2026-12-01T09:00:00.000Z",
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
    await expect(portal.as(admin, startImport, { fileId: file, [one]: "ekstra", [other]: "0" })).rejects.toMatchObject({
      name: "invalid",
      fields: { [other]: ["Linje 3: vælg, om tiden er flyttet eller ekstra."] },
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

  test("a file that would ask about more times than anybody can answer for is refused", async () => {
    const days = (month: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${String(at + 1).padStart(2, "0")}.${month}.2027`);
    const { cpr } = await aPatient(...days("01", 31));
    const asking = (count: number) =>
      upload(
        `${head}\n${[...days("03", 31), ...days("04", 30)]
          .slice(0, count)
          .map((day) => lineOf(cpr, day))
          .join("")}`,
      );
    expect((await read(await asking(32))).questions).toHaveLength(32);
    await expect(asking(33)).rejects.toMatchObject({
      name: "invalid",
      fields: { AppointmentFile: [expect.stringContaining("Del filen i flere.")] },
    });
  });

  test("one appointment is not moved to two lines", async () => {
    const { cpr, plan } = await aPatient("10.12.2026");
    const file = await upload(`${head}\n${lineOf(cpr, "17.12.2026")}${lineOf(cpr, "18.12.2026")}`);
    const { questions } = await read(file);
    const moved = Object.fromEntries(questions.map(({ rowId, asks }) => [questionName(rowId), String(asks[0]!.id)]));
    await expect(portal.as(admin, startImport, { fileId: file, ...moved })).rejects.toMatchObject({
      fields: { [questionName(questions[1]!.rowId)]: ["Linje 3: tiden er allerede valgt på linje 2."] },
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
    await portal.as(SYSTEM, removeExpired, {});
    portal.clock.set(made.toISOString());
    expect(await portal.db.selectFrom("appointmentImport").select("id").where("fileId", "=", file).execute()).toEqual(
      [],
    );
    await expect(read(file)).rejects.toMatchObject({ name: "notInScope" });
  });

  test("a row that an earlier version read is reported, and changes no plan", async () => {
    const { cpr, plan } = await aPatient();
    const file = await upload(`${head}\n${lineOf(cpr, "10.12.2026")}`);
    const former = { line: 2, cpr, cprText: cpr, date: "2026-12-10", time: "08:30", code: "OP-48", isCancelled: false };
    await portal.db
      .updateTable("appointmentImport")
      .set({ ...sealedImport.seal(portal.secrets, JSON.stringify(former)), plan: null })
      .where("fileId", "=", file)
      .execute();
    await importAll(file);
    expect((await read(file)).rows[0]).toMatchObject({ isShownAgain: true, status: UNREADABLE });
    await importAll(file);
    expect((await read(file)).rows[0]).toMatchObject({
      isDone: true,
      note: expect.stringContaining("tidligere udgave"),
    });
    expect(await plan()).toEqual([]);
  });

  test("what was decided is deleted once it is imported", async () => {
    const file = await upload(`${head}\n${ofNobody(1)}`);
    const plans = async () =>
      (await portal.db.selectFrom("appointmentImport").select("plan").where("fileId", "=", file).execute()).map(
        ({ plan }) => plan !== null,
      );
    expect(await plans()).toEqual([true]);
    await importAll(file);
    expect(await plans()).toEqual([false]);
  });
});
