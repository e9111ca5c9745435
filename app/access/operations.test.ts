import { describe, expect, test } from "vitest";
import { fileFields } from "~/files/file-rules";
import { declaredOperations as operations } from "../../tests/support/declared-operations";
import { operations as table } from "../../tests/support/operations";
import type { Actor, Role } from "./actor";
import { can } from "./permissions";

const roles: Role[] = ["Admin", "Surgeon", "Secretary", "Dentist Secretary", "Dentist"];

const letters: Record<string, Role> = {
  A: "Admin",
  S: "Surgeon",
  C: "Secretary",
  D: "Dentist Secretary",
  T: "Dentist",
};

const person = (role: Role): Actor => ({
  kind: "person",
  id: 1,
  userName: "a",
  firstName: "A",
  lastName: "B",
  email: "",
  roles: [role],
  clinicIds: [],
  primaryClinicId: null,
  formerIds: [],
  formerClinicIds: [],
  lightEdition: false,
  hasShortcuts: true,
  goesOn: false,
  mustAcceptConditions: false,
  mustChangePassword: false,
  mustSetUpSecondFactor: false,
});

test("lists every operation exactly once in the table", () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(table).sort());
});

test("fileFields names every upload field that a restored form may ask for again", () => {
  expect([...new Set(operations.flatMap(({ uploads }) => Object.keys(uploads ?? {})))].sort()).toEqual(
    [...fileFields].sort(),
  );
});

describe.each(operations.map((operation) => [operation.name, operation] as const))("%s", (name, { permission }) => {
  const holders = table[name]?.who ?? "";
  test.each(roles)("%s", (role) => {
    const wanted = holders === "*" || [...holders].some((letter) => letters[letter] === role);
    expect(can(person(role), permission)).toBe(wanted);
  });
  test("nobody signed in", () => {
    expect(can({ kind: "anonymous" }, permission)).toBe(holders === "*");
  });
});
