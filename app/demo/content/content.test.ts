/// <reference types="vite/client" />
import { expect, test } from "vitest";
import { cases, fillCase, treatmentTypes } from "./clinical-texts.server";
import { clinics, portalPeople } from "./clinics.server";
import { createPatients, nancy, postalTowns } from "./people.server";
import { createRandom } from "./seeded-random.server";

const today = new Date("2026-11-21T12:00:00Z");
const patients = createPatients(2000, 7, today);

test("the same seed makes the same people, and the first is the official test person", () => {
  expect(createPatients(50, 7, today)).toEqual(patients.slice(0, 50));
  expect(createPatients(50, 8, today)).not.toEqual(patients.slice(0, 50));
  expect(patients[0]).toBe(nancy);
  expect(createPatients(0, 7, today)).toEqual([]);
});

test("no CPR number but the test person's has a possible birth date, and all differ", () => {
  for (const { cpr } of patients.slice(1))
    expect(cpr).toMatch(/^(6[1-9]|7\d|8[0-8])(0[1-9]|1[0-2])\d\d-\d[\dA-Z]{2}\d$/);
  expect(new Set(patients.map(({ cpr }) => cpr)).size).toBe(patients.length);
  expect(patients.some(({ cpr }) => /[A-Z]/.test(cpr))).toBe(true);
});

test("the seventh digit gives ages from 12 to 92", () => {
  for (const { cpr } of patients.slice(1)) {
    const year = Number(cpr.slice(4, 6));
    const seventh = Number(cpr[7]);
    const born =
      seventh <= 3
        ? 1900 + year
        : seventh === 4 || seventh === 9
          ? (year <= 36 ? 2000 : 1900) + year
          : (year <= 57 ? 2000 : 1800) + year;
    const age = today.getUTCFullYear() - born;
    expect(age).toBeGreaterThanOrEqual(12);
    expect(age).toBeLessThanOrEqual(92);
  }
});

test("phones and e-mails belong to nobody, e-mails differ, and some people have none", () => {
  for (const { phone, mobilePhone, email } of patients) {
    for (const number of [phone, mobilePhone]) if (number !== null) expect(number).toMatch(/^10( \d\d){3}$/);
    if (email !== null) expect(email).toMatch(/^[a-z.]+\d*@eksempel\.dk$/);
  }
  const emails = patients.flatMap(({ email }) => email ?? []);
  expect(new Set(emails).size).toBe(emails.length);
  expect(patients.some(({ email }) => email === null)).toBe(true);
  expect(patients.some(({ mobilePhone }) => mobilePhone === null)).toBe(true);
  expect(patients.some(({ hasEboks }) => !hasEboks)).toBe(true);
  expect(patients.filter(({ lastName }) => /[æøå]/i.test(lastName)).length).toBeGreaterThan(300);
  for (const { zip, city } of [...postalTowns, ...clinics]) expect(`${zip} ${city}`).toMatch(/^\d{4} \p{Lu}/u);
});

test("every case names existing treatments, and its sentences are complete", () => {
  const keys = new Set(treatmentTypes.map(({ key }) => key));
  for (const { treatments } of cases) for (const key of treatments) expect(keys).toContain(key);
  const random = createRandom(3);
  const seen = new Set<string>();
  for (let count = 0; count < 600; count++) {
    const filled = fillCase(random);
    seen.add(filled.caseKey);
    expect(JSON.stringify(filled)).not.toMatch(/\{t\}/);
    expect(filled.desiredTreatment).toMatch(/^\p{Lu}.*[.?]$/u);
    expect(filled.diagnose).not.toMatch(/ {2}|regio[,.]/);
  }
  expect(seen.size).toBe(cases.length);
});

test("two surgeons, a dozen referrers, three clinics; names differ", () => {
  expect(clinics).toHaveLength(3);
  expect(portalPeople.filter(({ role }) => role === "Surgeon")).toHaveLength(2);
  expect(portalPeople.filter(({ role }) => role === "Dentist")).toHaveLength(12);
  expect(new Set(portalPeople.map(({ userName }) => userName)).size).toBe(portalPeople.length);
  const keys = clinics.map(({ key }) => key);
  for (const person of portalPeople) for (const key of person.clinics) expect(keys).toContain(key);
});

test("every number that the demo's texts name begins with 1, as nobody's does", () => {
  const sources = import.meta.glob<string>(["../**/*.ts", "!../**/*.test.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const numbers = Object.values(sources).flatMap(
    (text) => text.match(/\+45 ?\d(?: ?\d){7}\b|\b\d\d(?: \d\d){3}\b/g) ?? [],
  );
  expect(numbers.length).toBeGreaterThan(8);
  expect(numbers.filter((number) => !/^(\+45 ?)?1/.test(number))).toEqual([]);
});
