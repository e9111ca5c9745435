import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { startImport } from "~/features/appointments/operations.server";
import { appointmentsPortal, head, lineOf } from "../../tests/support/portals/appointments-portal";
import { forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { jobs } from "./jobs.server";

forEachDatabase("the import of appointment times", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  const { upload, read } = appointmentsPortal(dialect, (begun) => {
    ({ portal, admin } = begun);
  });

  test("takes one batch after another in a single run", async () => {
    const lines = Array.from({ length: 250 }, (_, day) => lineOf("610181-4001", `${(day % 28) + 1}.12.2026`));
    const file = await upload([head, ...lines].join("\n"));
    await portal.as(admin, startImport, { fileId: file });
    await jobs.importAppointments.run(portal);
    expect(await read(file)).toMatchObject({ isFailed: false, isImporting: false, rowsDone: 250 });
  });
});
