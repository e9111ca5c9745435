import { expect, test } from "vitest";
import { birthDate, parseCpr } from "~/text/cpr";
import { choosePersonRegister, withPersons } from "~/gateways/choose.server";
import { testPersons } from "./test-persons-list";

const register = choosePersonRegister({ url: null, customer: null, user: null, password: null, caFile: null });

test("without configuration only test persons are known, and the label says so", async () => {
  expect(register).toMatchObject({ label: "Ikke indstillet: svarer kun for testpersoner", isReal: false });
  expect(await register.find("251248-9996")).toMatchObject({
    kind: "found",
    firstName: "Nancy Ann",
    lastName: "Berggren",
    zip: "3400",
  });
  expect(await register.find("010190-0001")).toEqual({ kind: "notFound" });
  expect(await register.find("constructor")).toEqual({ kind: "notFound" });
  expect(await register.find("610180-9990")).toEqual({ kind: "protected" });
});

test("more persons are known beside them, but never to a real register", async () => {
  const answer = { kind: "protected" } as const;
  const persons = new Map([["610190-0001", answer]]);
  expect(await withPersons(register, persons).find("610190-0001")).toBe(answer);
  expect(await withPersons(register, persons).find("251248-9996")).toMatchObject({ kind: "found" });
  const real = { ...register, isReal: true };
  expect(withPersons(real, persons)).toBe(real);
});

test("every test number can be typed, and an invented one belongs to nobody", () => {
  for (const [cpr, { source }] of Object.entries(testPersons)) {
    expect(parseCpr(cpr)).toBe(cpr);
    expect(birthDate(cpr)).not.toBeNull();
    expect(Number(cpr.slice(0, 2)) > 60).toBe(source === "invented");
  }
});
