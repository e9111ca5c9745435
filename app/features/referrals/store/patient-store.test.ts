import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { upsertPatient } from "./patient-store.server";

forEachDatabase("the patient's row", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());

  const upsert = (cpr: string, email: string | null) =>
    inTransaction(portal.db, (tx) => upsertPatient(tx, portal.secrets, { cpr, email }, portal.clock.now()));

  test("simultaneous first referrals of one number share a patient", async () => {
    for (const [round, email] of [null, "samtidig@eksempel.dk", null].entries()) {
      const ids = await Promise.all(Array.from({ length: 6 }, () => upsert(`01017${round}-1234`, email)));
      expect(new Set(ids).size).toBe(1);
    }
  });
});
