// @module-tag matrix
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { addHours } from "date-fns";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { removeExpired } from "~/features/maintenance/operations.server";
import { createReaders } from "~/files/reading/readers.server";
import { appointmentsPortal, head, ofNobody, SYSTEM } from "../../../tests/support/portals/appointments-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { insertAppointmentFile } from "./appointment-store.server";
import { listAppointmentFiles } from "./operations.server";

forEachDatabase("large and hostile files of appointment times", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  const { upload, read } = appointmentsPortal(dialect, (begun) => {
    ({ portal, admin } = begun);
  });
  const listed = async () => (await portal.as(admin, listAppointmentFiles, {})).files.map(({ id }) => id);

  test("others read the database between slices of the rows that are written", async () => {
    const rows = 2000;
    let [isDone, turns] = [false, 0];
    const uploading = upload(`${head}
${ofNobody(rows)}`).finally(() => (isDone = true));
    while (!isDone) {
      await portal.db.selectFrom("user").select("id").limit(1).execute();
      turns += 1;
      await new Promise(setImmediate);
    }
    expect((await read(await uploading)).rowCount).toBe(rows);
    expect(turns).toBeGreaterThan(rows / 50);
  });

  test("a file over which its reader dies is refused in words, and the next one is taken", async () => {
    const programPath = path.join(portal.config.dataDir, "dies.mjs");
    await writeFile(programPath, `process.on("message", () => process.exit(3));`);
    const { readers } = portal;
    portal.readers = createReaders({ programPath });
    await expect(upload(`${head}\n${ofNobody(1)}`)).rejects.toMatchObject({
      fields: {
        AppointmentFile: ["Filen kan ikke læses: det tager for lang tid eller for meget plads. Del den i flere."],
      },
    });
    await portal.readers.close();
    portal.readers = readers;
    expect((await read(await upload(`${head}\n${ofNobody(1)}`))).rowCount).toBe(1);
  });

  test("a file whose rows are being written is nowhere, and is deleted after a day", async () => {
    const id = await insertAppointmentFile(portal.db, portal.secrets, {
      userId: admin.id,
      fileName: "halv.csv",
      rows: [],
      covered: { from: null, to: null },
      now: portal.clock.now(),
    });
    await portal.db.updateTable("appointmentFile").set({ rowCount: 1 }).where("id", "=", id).execute();
    expect(await listed()).not.toContain(id);
    await expect(read(id)).rejects.toMatchObject({ name: "notInScope" });
    const made = portal.clock.now();
    portal.clock.set(addHours(made, 25).toISOString());
    await portal.as(SYSTEM, removeExpired, {});
    portal.clock.set(made.toISOString());
    expect(await portal.db.selectFrom("appointmentFile").select("id").where("id", "=", id).execute()).toEqual([]);
  });
});
