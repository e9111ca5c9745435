import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { limits } from "~/access/throttle.server";
import { paths } from "~/paths";
import { overviewPortal } from "../../../../tests/support/portals/overview-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { listReferrals } from "./list-referrals.server";
import { searchPatients, suggestPatients } from "./search-patients.server";

forEachDatabase("the search for people", (dialect) => {
  let portal: TestPortal;
  const { people, ids, set } = overviewPortal(dialect, (opened) => {
    portal = opened;
  });
  const search = async (person: Person, patient: string) => {
    const to = new URL((await portal.as(person, searchPatients, { patient })).to, "https://x");
    const page = { f: to.searchParams.get("f"), sort: to.searchParams.get("sort") };
    const list = await portal.as(person, listReferrals, page);
    return { opens: to.pathname, total: "total" in list ? list.total : null, address: to.href };
  };

  test("one hit by number opens, also when it is closed", async () => {
    await set(ids[1]!, { status: 7 });
    expect(await search(people.admin, ` ${ids[1]} `)).toMatchObject({ opens: paths.referral(ids[1]!), total: 1 });
    expect(await search(people.admin, String(ids.at(-1)! + 1))).toMatchObject({ opens: paths.overview, total: 0 });
  });

  test("a name shows all statuses, and nothing of it is in the address", async () => {
    await set(ids[1]!, { status: 7 });
    const found = await search(people.admin, "Krogh");
    expect(found).toMatchObject({ opens: paths.overview, total: 9 });
    expect(decodeURIComponent(found.address)).not.toContain("Krogh");
  });

  test("another clinic's referral is not found by its number", async () => {
    expect(await search(people.dentist, String(ids[0]))).toMatchObject({ opens: paths.overview, total: 0 });
  });

  test("at most eight of one's own are suggested, open ones first, and audited", async () => {
    await set(ids[1]!, { status: 7 });
    await portal.audit.flush();
    await portal.db.deleteFrom("auditEvent").execute();
    const suggest = async (person: Person, patient: string) =>
      (await portal.as(person, suggestPatients, { patient })).data;
    const { suggestions, total } = await suggest(people.admin, "Krogh");
    expect([suggestions.length, total]).toEqual([8, 9]);
    expect(suggestions.map(({ isClosed }) => isClosed)).toEqual(
      suggestions.map(({ isClosed }) => isClosed).toSorted((one, other) => Number(one) - Number(other)),
    );
    expect((await suggest(people.dentist, String(ids[0]))).suggestions).toEqual([]);
    await portal.audit.flush();
    const events = await portal.db.selectFrom("auditEvent").select("operation").execute();
    expect(events).toEqual([{ operation: "suggestPatients" }, { operation: "suggestPatients" }]);
    await portal.db.updateTable("throttle").set({ hits: limits.patientSuggestions.hits }).execute();
    await expect(suggest(people.admin, "Krogh")).rejects.toMatchObject({ name: "tooManyAttempts" });
    await portal.db.deleteFrom("throttle").execute();
  });

  test("six digits are a birth date before they are a number", async () => {
    const { cpr6 } = await portal.db
      .selectFrom("referral")
      .select("cpr6")
      .where("id", "=", ids[2]!)
      .executeTakeFirstOrThrow();
    const { opens, total } = await search(people.admin, cpr6!);
    expect([opens, total]).toEqual([paths.overview, 45]);
  });
});
