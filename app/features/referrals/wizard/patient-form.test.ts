import fc from "fast-check";
import { expect, test } from "vitest";
import { type DraftFilter, draftView } from "~/features/drafts/draft-list";
import { drafts } from "~/features/drafts/draft-list.server";
import { filterForm } from "~/lists/filter.server";
import { activeFilters, presentFilter } from "~/lists/filters";
import { parseCpr } from "~/text/cpr";
import { missingAddress, patientForm } from "./patient-form.schema.server";
import { clearByPayment, factNames } from "~/features/referrals/model/facts";

const numRuns = Number(process.env.FUZZ_RUNS ?? 200);

const valid = {
  formKey: "k",
  cpr6: "610180",
  cpr4: "1234",
  firstName: "Åse",
  lastName: "Kjær",
  address: "Åvej 1",
  zip: "8000",
  city: "Aarhus",
  desiredTreatment: "48.",
};
const names = [
  ...new Set([
    ...Object.keys(valid),
    "referralId",
    "seenVersion",
    ...factNames,
    "addressProtected",
    "withoutAddress",
    "email",
    "emailConfirm",
    "withPrompts",
    "keepJournals",
  ]),
];

/** Anything a form can send under a name: text, a number as text, several values, or nothing. */
const sent = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.integer({ min: -2, max: 9 }).map(String),
  fc.constantFrom(
    "",
    " ",
    "on",
    "yes",
    "edi",
    "610180",
    "1234-5",
    "aase@eksempel.dk",
    "9".repeat(400),
    "a".repeat(5000),
  ),
  fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
  fc.constant(undefined),
);
const form = fc
  .tuple(fc.constantFrom({}, valid), fc.dictionary(fc.constantFrom(...names), sent))
  .map(([base, changes]) => ({ ...base, ...changes }));

test("any form of step 1 is read or refused in Danish; what is read keeps every rule", () => {
  let read = 0;
  fc.assert(
    fc.property(form, (raw) => {
      const parsed = patientForm.safeParse(raw);
      if (!parsed.success) {
        for (const { message } of parsed.error.issues)
          expect(message).not.toMatch(/expected|received|Invalid input|Required/i);
        return;
      }
      read += 1;
      const patient = parsed.data;
      expect(parseCpr(patient.cpr)).toBe(patient.cpr);
      expect(`${patient.firstName}${patient.lastName}`).not.toMatch(/[<>{}[\]\\|\d]/);
      expect(patient.desiredTreatment.trim()).toBe(patient.desiredTreatment);
      expect(patient.desiredTreatment.length).toBeGreaterThan(0);
      if (!patient.addressProtected && !patient.withoutAddress) expect(missingAddress(patient)).toEqual({});
      if (patient.visitType === "edi") expect(patient.externalId).toMatch(/^\d+$/);
      const cleared = clearByPayment(patient);
      expect(clearByPayment(cleared)).toEqual(cleared);
      if (cleared.paymentType !== 1) expect([cleared.insuranceCompany, cleared.policeClaim]).toEqual([null, null]);
      if (cleared.paymentType < 2) expect([cleared.regionNumber, cleared.regionZip]).toEqual([null, null]);
      if (!cleared.isHealthInsurance) expect(cleared.healthInsuranceType).toBe(0);
    }),
    { numRuns },
  );
  expect(read).toBeGreaterThan(0);
});

test("distinguishes an incomplete number from one whose date does not exist", () => {
  const errorsOf = (cpr6: string, cpr4?: string) =>
    patientForm.safeParse({ ...valid, cpr6, cpr4 }).error?.issues.map(({ message }) => message);
  expect(errorsOf("311326", "1234")).toEqual(["CPR-nummeret findes ikke: de første seks cifre er ikke en dato."]);
  expect(errorsOf("311326-1234")).toEqual(["CPR-nummeret findes ikke: de første seks cifre er ikke en dato."]);
  expect(errorsOf("311226", "12")).toEqual([
    "CPR-nummeret skal være en dato på seks cifre og fire tegn, fx 251248-9996.",
  ]);
});

test("any filter is read or refused; what is read can be typed again", () => {
  const typed = fc.dictionary(
    fc.constantFrom(
      "patientName",
      "cpr6",
      "cpr4",
      "visitNumber",
      "dateFrom",
      "dateTo",
      "referrerId",
      "statuses",
      "sort",
    ),
    sent,
  );
  fc.assert(
    fc.property(typed, (raw) => {
      const panel = filterForm(drafts);
      const filterOf = (read: object) =>
        Object.fromEntries(
          Object.entries(read).filter(([key, value]) => key !== "sort" && value !== undefined),
        ) as DraftFilter;
      const parsed = panel.safeParse(raw);
      if (!parsed.success) return;
      const filter = filterOf(parsed.data);
      const shown = presentFilter(draftView.filters, { filter, active: activeFilters(draftView.filters, filter) });
      expect(shown.active).toHaveLength(Object.keys(filter).length);
      const again = panel.safeParse(shown.fields);
      expect(again.success && filterOf(again.data)).toEqual(filter);
    }),
    { numRuns },
  );
});
