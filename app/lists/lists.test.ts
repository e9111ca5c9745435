import { type ExpressionBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Database } from "~db/schema";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { aClinic, aPerson } from "../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { defineList, openList } from "./define-list.server";
import { filterForm, sealFilter, unsealFilter } from "./filter.server";
import { activeFilters, type FilterDefinitions, presentFilter } from "./filters";
import { readPage } from "./read-page.server";

type OnClinic = ExpressionBuilder<Database, "clinic">;

interface ClinicFilter {
  city?: string;
  secret?: true;
}

const filters: FilterDefinitions<ClinicFilter> = {
  city: { label: "By", control: "text", isFirst: true },
  secret: { label: "Uden mobil", control: "box", permission: "directory.seeAll" },
};

/** A complete list: three columns, one filter for everybody and one for staff. */
const clinics = defineList({
  name: "test-clinics",
  filters,
  rules: {
    city: {
      schema: z.string().trim().min(1, "Skriv en by."),
      where: (eb: OnClinic, city: string) => eb("clinic.city", "=", city),
    },
    secret: {
      schema: z
        .literal("on")
        .or(z.literal(true))
        .transform(() => true as const),
      where: (eb: OnClinic) => eb("clinic.mobilePhone", "is", null),
    },
  },
  columns: [
    { key: 1, label: "Nr." },
    { key: 2, label: "Navn", ascendsFirst: true },
    { key: 3, label: "By" },
  ] as const,
  sortBy: { 1: "clinic.id", 2: "clinic.nameSort", 3: { column: "clinic.city", falls: true } },
  defaultSort: { key: 2, ascending: true },
  idColumn: "clinic.id",
  maxCounted: 60,
  scope: (db, actor) => db.selectFrom("clinic").where(sql<boolean>`${can(actor, "referral.seeAll") ? 1 : 0} = 1`),
  select: (rows) => rows.select(["clinic.id", "clinic.name", "clinic.city"]),
});

forEachDatabase("a list", (dialect) => {
  let portal: TestPortal;
  const people = {} as Record<"admin" | "other" | "dentist", Person>;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    people.admin = await aPerson(portal, { role: "Admin" });
    people.other = await aPerson(portal, { role: "Admin" });
    people.dentist = await aPerson(portal, { role: "Dentist" });
    await portal.db.deleteFrom("clinic").execute();
    const id = await aClinic(portal, "Klinik 100");
    const {
      id: _,
      emailKey: _derived,
      ...one
    } = await portal.db.selectFrom("clinic").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const rows = Array.from({ length: 90 }, (_row, index) => ({
      ...one,
      name: `Klinik ${101 + index}`,
      nameSort: `klinik ${101 + index}`,
      city: ["Aarhus", "Odense", "Vejle"][index % 3]!,
    }));
    await portal.db.insertInto("clinic").values(rows).execute();
  });
  afterAll(() => portal.close());

  const page = (
    filter: ClinicFilter,
    sort: string | null,
    requested: { page: number; cursor?: string | null },
    person = people.admin,
  ) => readPage(portal, person, openList(clinics, portal, person, filter, sort), requested);
  const names = ({ rows }: Awaited<ReturnType<typeof page>>) => rows.map(({ name }) => name);

  describe("with more rows than are counted", () => {
    test("reports that there are more, and can be stepped through to its end", async () => {
      const seen: string[] = [];
      let shown = await page({}, "2", { page: 1 });
      expect([shown.total, shown.isMore, shown.pageCount]).toEqual([60, true, 3]);
      seen.push(...names(shown));
      while (shown.page < shown.pageCount) {
        shown = await page({}, "2", { page: shown.page + 1, cursor: shown.end });
        seen.push(...names(shown));
      }
      expect([shown.page, seen.length, new Set(seen).size]).toEqual([5, 91, 91]);
      expect(seen).toEqual(seen.toSorted());
      const back = await page({}, "2", { page: 4, cursor: shown.start });
      expect(names(back)).toEqual(seen.slice(60, 80));
    });

    test("ends with its last row, and shows no empty page when rows left", async () => {
      const list = openList({ ...clinics, maxCounted: 20 }, portal, people.admin, { city: "Odense" }, "1");
      const read = (requested: { page: number; cursor?: string | null }) =>
        readPage(portal, people.admin, list, requested);
      const first = await read({ page: 1 });
      const second = await read({ page: 2, cursor: first.end });
      expect([first.pageCount, second.pageCount, second.rows.length]).toEqual([2, 2, 10]);
      await portal.db
        .updateTable("clinic")
        .set({ city: "Nyborg" })
        .where(
          "id",
          "in",
          second.rows.map(({ id }) => id),
        )
        .execute();
      expect((await read({ page: 2, cursor: first.end })).rows.length).toBe(20);
      await portal.db.updateTable("clinic").set({ city: "Odense" }).where("city", "=", "Nyborg").execute();
    });

    test("a page number beyond the counted rows shows the last counted page", async () => {
      const far = await page({}, "2", { page: 4000 });
      expect([far.page, names(far)[0]]).toEqual([3, "Klinik 140"]);
    });
  });

  test("a column that is stored in reverse sorts by what is shown", async () => {
    expect((await page({}, "3", { page: 1 })).rows[0]!.city).toBe("Vejle");
    expect((await page({}, "-3", { page: 1 })).rows[0]!.city).not.toBe("Vejle");
  });

  test("a filter is typed, sealed for its list, described and put back", async () => {
    const typed = filterForm(clinics).parse({ city: " Odense ", cpr6: "", sort: "2" }) as ClinicFilter & {
      sort?: string;
    };
    const { sort: _, ...filter } = typed;
    const sealed = sealFilter(clinics, portal.secrets, people.admin, filter);
    expect(sealed).not.toContain("Odense");
    expect(unsealFilter(clinics, portal.secrets, people.admin, sealed)).toEqual({ city: "Odense" });
    expect([
      unsealFilter(clinics, portal.secrets, people.other, sealed),
      unsealFilter({ ...clinics, name: "another" }, portal.secrets, people.admin, sealed),
    ]).toEqual([null, null]);
    expect((await page(filter, null, { page: 1 })).total).toBe(30);
    const active = activeFilters(clinics.filters, filter);
    expect(active).toEqual([{ key: "city", value: "Odense", name: null }]);
    expect(presentFilter(clinics.filters, { filter: { ...filter, secret: true }, active })).toEqual({
      fields: { city: "Odense", secret: "on" },
      active: [{ key: "city", value: "Odense", name: null, text: "By: Odense" }],
    });
    expect(filterForm(clinics).safeParse({ secret: "måske" }).success).toBe(false);
  });

  test("ignores filters that a person may not use, within their scope", async () => {
    expect(openList(clinics, portal, people.dentist, { secret: true }, null).filter).toEqual({});
    expect(await page({}, null, { page: 1 }, people.dentist)).toMatchObject({
      total: 0,
      isMore: false,
      pageCount: 1,
      rows: [],
    });
  });
});
