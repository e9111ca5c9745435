import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { dischargeLettersPortal } from "../../../tests/support/portals/discharge-letters-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { listDischargeLetters } from "./discharge-letter-list.server";

forEachDatabase("discharge letters to referrers", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  const { upload, nextReferral, work } = dischargeLettersPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId } = begun);
  });

  test("lists who has a letter, last sent first; others see their own without its state", async () => {
    const first = referralId;
    await upload();
    await work();
    portal.clock.advance({ days: 1 });
    referralId = await nextReferral();
    await upload();
    await work();
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const list = await portal.as(dentist, listDischargeLetters, {});
    const mine = list.rows.filter(({ id }) => id === first || id === referralId);
    expect(mine.map(({ id }) => id)).toEqual([referralId, first]);
    expect(mine[0]!.letters[0]).toMatchObject({ status: null, letterFile: "brev_1.pdf" });
    expect(list.work).toEqual([]);
    expect((await portal.as(stranger, listDischargeLetters, {})).rows).toEqual([]);
    const onTheDay = await portal.as(admin, listDischargeLetters, {
      filter: { dateFrom: "2026-12-02", dateTo: "2026-12-02" },
    });
    expect(onTheDay.rows.map(({ id }) => id)).toEqual([referralId]);
  });

  test.each(["1", "-1", "2", "-2", "3", "-3", "4", "-4"])(
    "ordered by %s, over several pages, every referral stands once",
    async (sort) => {
      const clinic = await aClinic(portal);
      const writer = await aPerson(portal, { role: "Dentist", clinicIds: [clinic] });
      for (let number = 0; number < 11; number++) {
        const id = await aReferral(portal, writer, { lastName: ["Abel", "Bach", "Carl"][number % 3] });
        await portal.db
          .updateTable("referral")
          .set({
            hasDischargeLetter: true,
            dischargeSentAt: number % 3 === 0 ? null : `2026-11-1${number % 4}T09:00:00.000Z`,
          })
          .where("id", "=", id)
          .execute();
      }
      const whole = await portal.as(writer, listDischargeLetters, { sort, pageSize: 100 });
      const paged: number[] = [];
      for (let page = 1, cursor: string | null = null; page <= 3; page++) {
        const part: Awaited<ReturnType<typeof listed>> = await listed({ sort, page, cursor, pageSize: 4 });
        paged.push(...part.rows.map(({ id }) => id));
        cursor = part.end;
      }
      expect(whole.total).toBe(11);
      expect(paged).toEqual(whole.rows.map(({ id }) => id));
      function listed(asked: object) {
        return portal.as(writer, listDischargeLetters, asked);
      }
    },
  );
});
