// @module-tag node
import type { ExpressionBuilder } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Database } from "~db/schema";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../tests/factories/people";
import { recordStatements } from "../../tests/support/record-statements";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { defineList, openList, type NameMatch, tokenSearch } from "./define-list.server";
import { neighbourOf, readPage } from "./read-page.server";
import { findIds } from "./rows.server";

type OnClinic = ExpressionBuilder<Database, "clinic">;

interface Filter {
  word?: string;
  city?: string;
}

const search = tokenSearch({
  table: "clinicSearchToken",
  reference: "clinicId",
  index: "clinic_search_token_by_row",
  id: "clinic.id",
});

const clinics = defineList({
  name: "test-clinics-by-word",
  filters: { word: { label: "Ord", control: "text" }, city: { label: "By", control: "text" } },
  rules: {
    word: {
      schema: z.string(),
      where: (_eb: OnClinic, word: string, { nameMatch }) => search.where(word, nameMatch),
    },
    city: { schema: z.string(), where: (eb: OnClinic, city: string) => eb("clinic.city", "=", city) },
  },
  columns: [{ key: 1, label: "Navn", ascendsFirst: true }] as const,
  sortBy: { 1: "clinic.nameSort" },
  defaultSort: { key: 1, ascending: true },
  strategy: async (_filter, _sort, countUpTo) => ((await countUpTo(5000)) < 5000 ? undefined : "scan"),
  idColumn: "clinic.id",
  maxCounted: 60,
  scope: (db) => db.selectFrom("clinic"),
  select: (rows) => rows.select(["clinic.id", "clinic.name"]),
  nameSearch: { textOf: ({ word }: Filter) => word, findMatch: search.findMatch },
});

const from = (first: number, count: number) => Array.from({ length: count }, (_row, index) => first + index);

forEachDatabase("rows by their words", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    await portal.db.deleteFrom("clinic").execute();
    await addClinicsOf([...from(1, 2020), ...from(5000, 300), ...from(10_000, 3000)]);
  });
  afterAll(() => portal.close());

  const addWord = (token: string, ids: number[]) =>
    portal.db
      .insertInto("clinicSearchToken")
      .values(ids.map((id) => ({ token, clinicId: id })))
      .execute();
  /** Clinics that only exist because a token must name one. */
  const addClinicsOf = async (ids: readonly number[]) => {
    const { emailKey: _, ...one } = await portal.db
      .selectFrom("clinic")
      .selectAll()
      .where("id", "=", await aClinic(portal))
      .executeTakeFirstOrThrow();
    await portal.db.deleteFrom("clinic").where("id", "=", one.id).execute();
    for (let at = 0; at < ids.length; at += 1000)
      await portal.db
        .insertInto("clinic")
        .values(ids.slice(at, at + 1000).map((id) => ({ ...one, id })))
        .execute();
  };
  const find = (text: string) => search.findMatch(portal.db, text);
  const sorted = (match: NameMatch | undefined) =>
    Array.isArray(match) ? match.toSorted((one, other) => one - other) : match;

  test("up to 2,000 rows are found by id, more are scanned in order", async () => {
    await addWord("dental", from(1, 2000));
    await addWord("vest", from(1990, 30));
    expect(await find("dental")).toHaveLength(2000);
    await addWord("dental", [2001]);
    expect(await find("dental")).toBe("scanInOrder");
    expect(sorted(await find("ves dent"))).toEqual(from(1990, 12));
    expect(await find("dental nord")).toEqual([]);
  });

  test("a row with several words that begin so is found once", async () => {
    await addWord("klinik", [5, 6]);
    await addWord("klinikken", [6]);
    expect(sorted(await find("klin"))).toEqual([5, 6]);
  });

  test("common words cost no more than one look-up a row", async () => {
    const alike = (letter: string) =>
      Array.from({ length: 12 }, (_word, index) => `${"x".repeat(12)}${letter}${index}`);
    for (const token of alike("a")) await addWord(token, from(5000, 300));
    await addWord("zebra", [5007]);
    expect(await find("x xx xxx xxxx xxxxx xxxxxx zebra")).toEqual([5007]);
    expect(await find("x xx xxx xxxx xxxxx xxxxxx zorro")).toEqual([]);
    expect(sorted(await find("x xx xxx xxxx xxxxx xxxxxx xxxxxxx"))).toEqual(from(5000, 300));
    expect(await find(`${alike("a").slice(0, 6).join(" ")} zorro`)).toEqual(sorted(from(5000, 300)));
  });

  test("a rare word is looked up first, whichever was typed first", async () => {
    await addWord("hyppig", from(10_000, 3000));
    await addWord("sjaelden", [10_500]);
    for (const text of ["hyppig sjælden", "sjælden hyppig"]) {
      const { db, recorded } = recordStatements(portal.db);
      expect(await search.findMatch(db, text)).toEqual([10_500]);
      const { sql, parameters } = recorded.at(-1)!;
      expect(sql).not.toMatch(/\bjoin\b/);
      expect(parameters[0]).toBe("sjaelden");
    }
  });

  describe("in a list, a word that more than 2,000 have", () => {
    let admin: Person;
    const listed = (filter: Filter) => openList(clinics, portal, admin, filter, "1");
    const read = (filter: Filter, requested: { page: number; cursor?: string | null } = { page: 1 }) =>
      readPage(portal, admin, listed(filter), requested);
    const names = ({ rows }: Awaited<ReturnType<typeof read>>) => rows.map(({ name }) => name);

    const addClinics = async (numbers: number[], cityOf: (number: number) => string) => {
      const {
        id: _id,
        emailKey: _derived,
        ...one
      } = await portal.db.selectFrom("clinic").selectAll().limit(1).executeTakeFirstOrThrow();
      const rows = numbers.map((number) => ({
        ...one,
        name: `Klinik ${number}`,
        nameSort: `klinik ${number}`,
        city: cityOf(number),
      }));
      await portal.db.insertInto("clinic").values(rows).execute();
    };

    beforeAll(async () => {
      admin = await aPerson(portal, { role: "Admin" });
      await portal.db.deleteFrom("clinic").execute();
      await aClinic(portal, "Klinik 100");
      await addClinics(from(101, 90), (number) => ["Aarhus", "Odense", "Vejle"][number % 3]!);
      // More than 2,000 make the word common.
      await addClinics(from(5000, 2000), () => "Skagen");
      const ids = (await portal.db.selectFrom("clinic").select("id").execute()).map(({ id }) => id);
      await addWord("tandklinik", ids);
    });

    test("scanning in order and finding ids give the same rows", async () => {
      expect(await find("tandklinik")).toBe("scanInOrder");
      const all = await read({ word: "tandklinik" });
      expect([all.total, all.isMore, names(all)]).toEqual([60, true, names(await read({}))]);
      const few = await read({ word: "tandklinik", city: "Odense" });
      expect([few.total, few.isMore, few.rows.length]).toEqual([30, false, 20]);
      expect(names(few)).toEqual(names(await read({ city: "Odense" })));
      const next = await read({ word: "tandklinik", city: "Odense" }, { page: 2, cursor: few.end });
      expect(names(next)).toEqual(names(await read({ city: "Odense" }, { page: 2 })));
    });

    test("leads to the next row behind a page", async () => {
      const filter = { word: "tandklinik", city: "Odense" };
      const { rows } = await read(filter);
      const beside = await neighbourOf(portal, admin, listed(filter), rows.at(-1)!.id, undefined, "forward");
      expect(beside).toBe((await read(filter, { page: 2 })).rows[0]!.id);
    });

    test("finds the same rows far in, by a page's number", async () => {
      await addClinics(from(1000, 1200), () => "Ribe");
      const inRibe = await portal.db.selectFrom("clinic").select("id").where("city", "=", "Ribe").execute();
      await addWord(
        "tandklinik",
        inRibe.map(({ id }) => id),
      );
      const [scanned, unnamed] = [listed({ word: "tandklinik", city: "Ribe" }), listed({ city: "Ribe" })];
      const far = { cursor: null, direction: "forward", skip: 1150, take: 20 } as const;
      const filterContext = { ...scanned.filterContext, nameMatch: "scanInOrder" } as const;
      const found = await findIds(portal.db, { ...scanned, filterContext }, far);
      expect(found).toHaveLength(20);
      expect(found).toEqual(await findIds(portal.db, unnamed, far));
    });
  });
});
