import { expect, test } from "vitest";
import type { ReferralLetter } from "~/features/edi/reading/letter";
import { judgeReferral } from "./compare-letters";

const letterOf = (cpr: string) =>
  ({ status: "new", patient: { cpr, birthDate: null, firstName: "Åse", lastName: "Øst" } }) as ReferralLetter;

test.each([
  ["291126-4002", "born today", null],
  ["301126-4001", "born tomorrow", "birthDateUnlikely"],
  ["010145-5001", "born in 2045", "birthDateUnlikely"],
  ["120385-7100", "141 years old", "birthDateUnlikely"],
  ["291121-1001", "105 years old today", null],
  ["291120-1001", "106 years old today", "birthDateUnlikely"],
  ["150360-3135", "66 years old", null],
  ["150360-31AB", "a replacement number", null],
])("a letter about %s, %s: %s", (cpr, _who, reason) => {
  const known = { register: { kind: "notFound" as const }, isRegisterReal: false, earlier: null };
  expect(judgeReferral(letterOf(cpr), { ...known, today: "2026-11-29" })).toBe(reason);
});
