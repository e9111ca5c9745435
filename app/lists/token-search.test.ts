import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { type NameMatch, tokenSearch } from "./token-search.server";

const search = tokenSearch({ table: "clinic_search_token", reference: "clinic_id", id: "clinic.id" });

forEachDatabase("rows by their words", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    await portal.db.deleteFrom("clinic_search_token").execute();
  });
  afterAll(() => portal.close());

  const addWord = (token: string, ids: number[]) =>
    portal.db
      .insertInto("clinic_search_token")
      .values(ids.map((id) => ({ token, clinic_id: id })))
      .execute();
  const find = (text: string | undefined) => search.findMatch(portal.db, text);
  const sorted = (match: NameMatch | undefined) =>
    Array.isArray(match) ? match.toSorted((one, other) => one - other) : match;
  const from = (first: number, count: number) => Array.from({ length: count }, (_row, index) => first + index);

  test("up to 2,000 rows are found at once, more are walked to, and words together are as many as have them all", async () => {
    await addWord("dental", from(1, 2000));
    await addWord("vest", from(1990, 30));
    expect(await find("dental")).toHaveLength(2000);
    await addWord("dental", [2001]);
    expect(await find("dental")).toBe("scanInOrder");
    expect(sorted(await find("ves dent"))).toEqual(from(1990, 12));
    expect(await find("dental nord")).toEqual([]);
    expect(await find(undefined)).toBeUndefined();
  });

  test("a row with several words that begin so is found once", async () => {
    await addWord("klinik", [5, 6]);
    await addWord("klinikken", [6]);
    expect(sorted(await find("klin"))).toEqual([5, 6]);
  });
});
