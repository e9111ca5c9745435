import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person, Role } from "~/access/actor";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { patientForm } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { readWizard } from "./read-wizard.server";
import { approvalTypes, paymentTypes, radiographsSendTypes } from "~/features/referrals/model/referral";
import { savePatient } from "./save-patient.server";
import { saveReferrer } from "./save-referrer.server";
import { sendReferral } from "./send-referral.server";

const roles: Role[] = ["Admin", "Surgeon", "Secretary", "Dentist Secretary", "Dentist"];

const payer = {
  insuranceCompany: "Bælt Forsikring",
  policeClaim: "P-1",
  regionNumber: "5790000000001",
  regionAddress: "Åvej 2",
  regionInstitution: "Kommunens tandpleje",
  regionZip: "8000",
  regionCity: "Århus",
};
const clinical = {
  diagnose: "Æ",
  previousTreatment: "Ø",
  comment: "Å",
  withPrompts: "on",
  allergies: "Penicillin",
  medication: "Eliquis 5 mg × 2\nAlendronat",
  illnesses: "Diabetes 2",
  tobacco: "10 om dagen",
  alcohol: "7 genstande om ugen",
  interpreter: "arabisk",
  psyche: "Tandlægeskræk",
  profession: "Lærer",
  phone: "86 00 00 00",
  mobilePhone: "20 00 00 00",
};
const insurance = ["insuranceCompany", "policeClaim"];
const region = ["regionNumber", "regionAddress", "regionInstitution", "regionZip", "regionCity"];

const kept: Record<number, string[]> = { 0: [], 1: insurance, 2: region, 3: region };
const approvalAfter = (paymentType: number, approvalType: number) =>
  paymentType === 0 || (paymentType === 1 && approvalType === 3) ? 0 : approvalType;

forEachDatabase("a referral of every payment, approval and way of sending images", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  const writers = new Map<Role, Person>();
  let dentist: Person;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const clinic = await aClinic(portal);
    for (const role of roles)
      writers.set(
        role,
        await aPerson(portal, { role, clinicIds: role === "Admin" || role === "Surgeon" ? [] : [clinic] }),
      );
    dentist = writers.get("Dentist")!;
    admin = writers.get("Admin")!;
  });
  afterAll(() => portal.close());

  describe.each(roles)("%s", (role) => {
    test.each(paymentTypes.flatMap((payment) => approvalTypes.map((approval) => [payment, approval] as const)))(
      "%o, %o: what is read back is what was written, without what does not belong",
      async ({ value: paymentType }, { value: approvalType }) => {
        const writer = writers.get(role)!;
        for (const { value: radiographsSendType } of radiographsSendTypes.filter(({ value }) => value !== 0)) {
          const form = patientForm({
            ...payer,
            ...clinical,
            paymentType,
            approvalType,
            referenceType: 1,
            callType: 2,
            isHealthInsurance: "yes",
            healthInsuranceType: 3,
          });
          const { to } = await portal.as(writer, savePatient, form);
          const referralId = Number(/kladde=(\d+)/.exec(to ?? "")?.[1]);
          await portal.as(writer, saveReferrer, {
            referralId,
            referrerId: writer === dentist ? undefined : dentist.id,
            sendNotification: "on",
          });
          await portal.as(writer, sendReferral, { referralId, formKey: "", radiographsSendType });

          const wizard = await portal.as(admin, readWizard, { referralId, step: 1 });
          if ("redirectTo" in wizard) throw new Error("staff edit what was sent");
          const wanted = Object.fromEntries(
            Object.entries(payer).map(([field, value]) => [field, kept[paymentType]!.includes(field) ? value : ""]),
          );
          const { formKey: _, withPrompts: __, ...typed } = form;
          expect(wizard.patient).toMatchObject({
            ...typed,
            ...wanted,
            paymentType: String(paymentType),
            approvalType: String(approvalAfter(paymentType, approvalType)),
            referenceType: "1",
            callType: "2",
            healthInsuranceType: "3",
          });
          expect(wizard.radiographsSendType).toBe(radiographsSendType);
          const open = presentReferral(await portal.as(admin, readOpenReferral, { referralId }));
          expect([open.referrer.name, open.isUrgent]).toEqual([`${dentist.firstName} ${dentist.lastName}`, true]);
        }
      },
    );
  });

  test("no health insurance means Basis", async () => {
    const { to } = await portal.as(
      dentist,
      savePatient,
      patientForm({ isHealthInsurance: "no", healthInsuranceType: 2 }),
    );
    const wizard = await portal.as(dentist, readWizard, {
      referralId: Number(/kladde=(\d+)/.exec(to ?? "")?.[1]),
      step: 1,
    });
    expect(wizard).toMatchObject({ patient: { isHealthInsurance: "no", healthInsuranceType: "0" } });
  });
});
