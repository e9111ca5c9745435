import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { ResultOf } from "~/access/operation.server";
import { aReferral } from "../../../tests/factories/referrals";
import { callUpsPortal } from "../../../tests/support/portals/call-ups-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { listCallUps } from "./call-up-list.server";

type Listed = ResultOf<typeof listCallUps>["rows"][number];
type Value = (row: Listed) => string | number | null;

const SMS = 2;

forEachDatabase("call-ups", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  const { send, work } = callUpsPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId } = begun);
  });
  const listed = (input: object) => portal.as(admin, listCallUps, input);

  test("the list holds those in statuses 1 and 3, and an open row stays when it has left", async () => {
    await send(SMS);
    const ids = async (openId?: number) =>
      (await portal.as(admin, listCallUps, { openId, filter: { visitNumber: referralId } })).rows.map(
        ({ id, hasLeft, callUpStatus }) => ({ id, hasLeft, callUpStatus }),
      );
    expect(await ids()).toEqual([{ id: referralId, hasLeft: false, callUpStatus: 1 }]);
    await work("sms");
    expect(await ids()).toEqual([]);
    expect(await ids(referralId)).toEqual([{ id: referralId, hasLeft: true, callUpStatus: 3 }]);
  });

  test.each([
    ["7", (row) => row.callUpType],
    ["-7", (row) => row.callUpType],
    ["8", (row) => row.callUpAt],
    ["-8", (row) => row.callUpAt],
    ["9", (row) => row.callUpStatus],
    ["-9", (row) => row.callUpStatus],
  ] as [string, Value][])(
    "ordered by %s, over statuses and pages, each referral stands once, in its place",
    async (sort, valueOf) => {
      for (let number = 0; number < 12; number++) {
        const id = await aReferral(portal, dentist, { lastName: "Ordnet" });
        await portal.db
          .updateTable("referral")
          .set({
            status: [1, 3, 5][number % 3]!,
            ...(number % 4 === 0
              ? {}
              : {
                  callUpType: number % 4,
                  callUpStatus: 2 + (number % 2),
                  callUpDate: `2026-11-${10 + (number % 5)}T09:00:00.000Z`,
                }),
          })
          .where("id", "=", id)
          .execute();
      }
      const filter = { statuses: [1, 3, 5], patientName: "Ordnet" };
      const whole = await portal.as(admin, listCallUps, { sort, filter, pageSize: 100 });
      const paged: number[] = [];
      for (let page = 1, cursor: string | null = null; page <= Math.ceil(whole.total / 5); page++) {
        const part: Awaited<ReturnType<typeof listed>> = await listed({ sort, filter, page, cursor, pageSize: 5 });
        paged.push(...part.rows.map(({ id }) => id));
        cursor = part.end;
      }
      expect(paged).toEqual(whole.rows.map(({ id }) => id));
      expect(new Set(paged).size).toBe(whole.total);
      const ascending = !sort.startsWith("-");
      const values = whole.rows.map(valueOf).map((value) => (value === null ? "" : String(value)));
      expect(values).toEqual(values.toSorted((a, b) => (ascending ? a.localeCompare(b) : b.localeCompare(a))));
      await portal.db.updateTable("referral").set({ lastName: "Før" }).where("lastName", "=", "Ordnet").execute();
      await portal.db.deleteFrom("referralNameToken").where("token", "=", "ordnet").execute();
    },
  );
});
