import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aClinic, aPerson } from "../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { whileWritesAreLocked } from "../../tests/support/write-lock";
import type { Person } from "./actor";
import { declaredOperations } from "../../tests/support/declared-operations";
import { can, type Permission } from "./permissions";

const aText = { kind: "callUp", channel: "sms", body: "Ring til os" };
const cpr = { cpr6: "610183", cpr4: "4321" };

/**
 * Every look-up with a form it accepts. Some of them count their callers in a transaction of their own first
 * (throttle.server.ts).
 */
const forms: Record<string, { form: Record<string, unknown>; isCounted?: true }> = {
  applyFilter: { form: { ...cpr, statuses: ["1"] } },
  askCallUps: { form: { pick: [1], incallType: 2 } },
  askExport: { form: { pick: ["1:2"] } },
  checkCpr: { form: cpr },
  fetchAddress: { form: cpr, isCounted: true },
  fetchKnownPatient: { form: cpr },
  fetchPatient: { form: cpr, isCounted: true },
  exportStatistics: { form: { dateFrom: "01.01.2026", dateTo: "31.01.2026" } },
  filterAccess: { form: cpr },
  filterCallUps: { form: { ...cpr, status: ["1"] } },
  filterClinics: { form: { search: "å" } },
  filterDischargeLetters: { form: cpr },
  filterDrafts: { form: cpr },
  filterImportLog: { form: cpr },
  filterSms: { form: cpr },
  filterUsers: { form: { search: "å" } },
  sealPendingForm: { form: { formId: "x", text: "y" }, isCounted: true },
  lookUpCar: { form: { licensePlate: "qx12345" } },
  lookUpOwnCar: { form: { licensePlate: "qx12345" }, isCounted: true },
  moreFilters: { form: { search: "å" } },
  previewLetter: { form: {} },
  previewMessageText: { form: aText },
  previewPortalText: { form: { kind: "conditions", body: "Nye betingelser" } },
  replaceCostlySigns: { form: aText },
  searchPatients: { form: { patient: "610183-4321" } },
  suggestPatients: { form: { patient: "610183-4321" }, isCounted: true },
  searchReferrers: { form: { search: "å" } },
};

const lookUps = declaredOperations.filter(({ kind }) => kind === "lookUp");

test("every look-up stands in the table", () => {
  expect(lookUps.map(({ name }) => name).sort()).toEqual(Object.keys(forms).sort());
});

forEachDatabase("look-ups", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let secretary: Person;
  let admin: Person;
  const askerOf = ({ permission }: { permission: Permission }) => (can(secretary, permission) ? secretary : admin);
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    secretary = await aPerson(portal, { role: "Secretary", clinicIds: [await aClinic(portal)] });
    admin = await aPerson(portal, { role: "Admin" });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.audit.flush();
    await portal.db.deleteFrom("auditEvent").execute();
  });

  test("answer while another transaction is writing", async () => {
    await whileWritesAreLocked(portal, dialect, async () => {
      for (const operation of lookUps)
        if (!forms[operation.name]!.isCounted)
          await portal.as(askerOf(operation), operation, forms[operation.name]!.form);
    });
    await portal.audit.flush();
    expect(await portal.db.selectFrom("auditEvent").select("id").execute()).toHaveLength(
      lookUps.filter(({ name }) => !forms[name]!.isCounted).length,
    );
  });

  test.each(lookUps.map((operation) => [operation.name, operation] as const))(
    "%s is entered in the audit as a reading",
    async (name, operation) => {
      const { secrets } = portal;
      await portal.as(askerOf(operation), operation, forms[name]!.form);
      expect(
        await portal.db.selectFrom("auditEvent").select("id").execute(),
        "nothing is written before the answer",
      ).toEqual([]);
      await portal.audit.flush();
      const asksForSomebody = ["checkCpr", "fetchAddress", "fetchKnownPatient", "fetchPatient"].includes(name);
      const cprHash = asksForSomebody ? secrets.lookup("cpr", "610183-4321") : null;
      expect(await portal.db.selectFrom("auditEvent").selectAll().execute()).toMatchObject([
        { operation: name, outcome: "seen", actorId: askerOf(operation).id, cprHash },
      ]);
    },
  );
});
