import { afterAll, beforeAll, expect, test } from "vitest";
import { aPerson } from "../../../tests/factories/people";
import { createTestPortal, type TestPortal } from "../../../tests/support/test-portal";
import { readHelp } from "./read-help.server";

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal("sqlite");
});
afterAll(() => portal.close());

const help = async (role: Parameters<typeof aPerson>[1]["role"], input: { guide?: string; search?: string } = {}) =>
  portal.as(await aPerson(portal, { role }), readHelp, { guide: "", search: "", ...input });

test.each([
  ["Admin", "sekretaer"],
  ["Surgeon", "kirurg"],
  ["Dentist", "tandlaege"],
  ["Secretary", "tandlaegesekretaer"],
  ["Dentist Secretary", "tandlaegesekretaer"],
] as const)("%s sees the own guide first", async (role, guide) => {
  const { shown, guides } = await help(role);
  expect([shown?.id, guides[0]?.id]).toEqual([guide, guide]);
});

test("staff may open every guide, a referrer the own one alone", async () => {
  expect((await help("Surgeon", { guide: "drift" })).shown?.title).toBe("Drift");
  const dentist = await help("Dentist", { guide: "drift" });
  expect(dentist.guides.map(({ id }) => id)).toEqual(["tandlaege"]);
  expect(dentist.shown?.id).toBe("tandlaege");
});

test("pages that a role may not open are left out of its guide", async () => {
  const ids = async (role: "Dentist" | "Secretary") =>
    (await help(role)).shown?.chapters.flatMap(({ sections }) => sections.map(({ id }) => id));
  expect(await ids("Secretary")).toEqual(expect.arrayContaining(["overview", "users", "clinics"]));
  expect(await ids("Dentist")).not.toContain("users");
});

test("a search finds sections that have every word, each once, in what one may read", async () => {
  const found = async (role: "Admin" | "Dentist", search: string) => (await help(role, { search })).found;
  const send = await found("Admin", "send indkaldelse");
  expect(send.map(({ title }) => title)).toContain("Indkald en patient");
  expect(new Set(send.map(({ html }) => html)).size).toBe(send.length);
  for (const word of ["brevbunke", "TU-status"]) expect(await found("Dentist", word)).toEqual([]);
  expect(await found("Admin", "xyzzy")).toEqual([]);
  expect((await help("Admin", { search: " " })).shown).not.toBeNull();
});
