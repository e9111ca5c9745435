import { expect, test } from "vitest";
import type { Operation } from "~/access/operation.server";
import { aPerson } from "../../../../tests/factories/people";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { recordStatements } from "../../../../tests/support/record-statements";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { downloadReferralPdf } from "./referral-pdf.server";
import { readReferral } from "./read-referral.server";
import { readAppointmentLetters, readBilling, readCallUpsSent } from "./read-sent-items.server";

forEachDatabase("the statements of an open referral", (dialect) => {
  let given: Parameters<Parameters<typeof openReferralPortal>[1]>[0];
  const { set } = openReferralPortal(dialect, (begun) => {
    given = begun;
  });

  async function recorded<T>(work: (portal: TestPortal) => Promise<T>) {
    const { db, recorded: statements } = recordStatements(given.portal.db);
    const result = await work({ ...given.portal, db });
    return { result, statements: statements.map(({ sql }) => sql) };
  }
  const ofUsers = (statements: string[]) => statements.filter((sql) => /from [`"]user[`"]/.test(sql));

  test("a referral's four people are read by one statement, within the scope", async () => {
    const { admin, dentist, surgeon, referralId } = given;
    const creator = await aPerson(given.portal, { role: "Secretary" });
    await set({ surgeonId: surgeon.id, creatorId: creator.id, modifierId: admin.id });
    const forStaff = await recorded((portal) => portal.as(admin, readReferral, { referralId }));
    expect(ofUsers(forStaff.statements)).toHaveLength(1);
    const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;
    expect(forStaff.result).toMatchObject({
      creatorName: nameOf(creator),
      modifierName: nameOf(admin),
      referrer: { name: nameOf(dentist) },
      plan: { surgeon: nameOf(surgeon) },
    });
    const forDentist = await recorded((portal) => portal.as(dentist, readReferral, { referralId }));
    expect(forDentist.result).toMatchObject({
      creatorName: null,
      modifierName: null,
      referrer: { name: nameOf(dentist) },
      plan: { surgeon: nameOf(surgeon) },
    });
    const pdf = await recorded((portal) => portal.as(dentist, downloadReferralPdf, { referralId }));
    expect(ofUsers(pdf.statements)).toHaveLength(1);
  });

  test.each([
    ["call-ups", readCallUpsSent, "call_up"],
    ["appointment letters", readAppointmentLetters, "appointment_letter"],
    ["invoices and estimates", readBilling, "billing_letter"],
  ] as const)("the section of %s reads the referral and its own rows alone", async (_what, operation, table) => {
    const { dentist, stranger, referralId } = given;
    const read: Operation<{ referralId: number }, unknown> = operation;
    const { statements } = await recorded((portal) => portal.as(dentist, read, { referralId }));
    expect(statements).toHaveLength(2);
    expect(statements[1]).toMatch(new RegExp(`from [\`"]${table}[\`"]`));
    await expect(given.portal.as(stranger, read, { referralId })).rejects.toMatchObject({ name: "notInScope" });
    await given.portal.audit.flush();
    const events = await given.portal.db
      .selectFrom("auditEvent")
      .innerJoin("auditReferral", "auditReferral.auditEventId", "auditEvent.id")
      .select(["auditEvent.actorId", "auditEvent.outcome"])
      .where("auditEvent.operation", "=", operation.name)
      .where("auditReferral.referralId", "=", referralId)
      .orderBy("auditEvent.id")
      .execute();
    expect(events).toEqual([
      { actorId: dentist.id, outcome: "seen" },
      { actorId: stranger.id, outcome: "refused" },
    ]);
  });
});
