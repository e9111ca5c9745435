import fc from "fast-check";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { addDays } from "~/text/calendar";
import { createRandom } from "~/demo/content/seeded-random.server";
import { aReferral } from "../../../tests/factories/referrals";
import { appointmentsPortal, head, lineOf } from "../../../tests/support/portals/appointments-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

/** Calendars of thirty days; each takes seconds. `npm test` uses fixed seeds. */
const { FUZZ_RUNS } = process.env;
const RUNS = FUZZ_RUNS ? Math.ceil(Number(FUZZ_RUNS) / 200) : 3;
const SEED = FUZZ_RUNS ? undefined : 20261126;
const DAYS = 30;
const FIRST_DAY = "2026-12-01";
const CODES = ["OP-48", "OP-49"];

interface Appointment {
  patient: number;
  code: string;
  day: string;
  time: string;
  isCancelled: boolean;
  changedOn: string;
}

/** A clinic's calendar, changed at random one day at a time; each appointment occurs at most once. */
function aCalendar(seed: number, patients: number) {
  const random = createRandom(seed);
  const appointments: Appointment[] = [];
  const isFree = (patient: number, code: string, day: string, time: string) =>
    !appointments.some(
      (each) =>
        !each.isCancelled && each.patient === patient && each.code === code && each.day === day && each.time === time,
    );
  const slot = (today: string) => ({
    day: addDays(today, Math.floor(random.next() * 12)),
    time: `${String(8 + Math.floor(random.next() * 3)).padStart(2, "0")}:${random.chance(0.5) ? "00" : "30"}`,
  });
  const changeable = (today: string) =>
    appointments.filter((each) => !each.isCancelled && each.day >= today && each.changedOn !== today);
  const changes = [
    (today: string) => {
      const [patient, code, at] = [Math.floor(random.next() * patients), random.pick(CODES), slot(today)];
      if (isFree(patient, code, at.day, at.time))
        appointments.push({ patient, code, ...at, isCancelled: false, changedOn: today });
    },
    // Another appointment for a patient who has one, often on the same day.
    (today: string) => {
      const [like] = changeable(today);
      if (!like) return;
      const at = { ...slot(today), ...(random.chance(0.5) ? { day: like.day } : {}) };
      if (isFree(like.patient, like.code, at.day, at.time))
        appointments.push({ ...like, ...at, isCancelled: false, changedOn: today });
    },
    (today: string) => {
      const open = changeable(today);
      if (open.length === 0) return;
      const moved = random.pick(open);
      const at = { ...slot(today), ...(random.chance(0.3) ? { day: moved.day } : {}) };
      if (isFree(moved.patient, moved.code, at.day, at.time)) Object.assign(moved, at, { changedOn: today });
    },
    (today: string) => {
      const open = changeable(today);
      if (open.length > 0) Object.assign(random.pick(open), { isCancelled: true, changedOn: today });
    },
  ];
  return {
    appointments,
    isEven: () => random.chance(0.5),
    changeFor(today: string) {
      for (let times = 1 + Math.floor(random.next() * 5); times > 0; times -= 1) random.pick(changes)(today);
    },
    shuffled: (lines: string[]) =>
      lines
        .map((line) => ({ line, at: random.next() }))
        .sort((one, other) => one.at - other.at)
        .map(({ line }) => line),
  };
}

const timesOf = (appointments: readonly { code: string; day: string; time: string | null }[]) =>
  appointments.map(({ code, day, time }) => `${code} ${day} ${time}`).sort();

forEachDatabase("a calendar that is imported every day", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  const { upload, read, importAll } = appointmentsPortal(dialect, (begun) => {
    ({ portal, dentist } = begun);
  });
  let calendars = 0;

  /**
   * The day's file: every appointment including cancelled ones, in random order with duplicates, between rows of
   * another patient.
   */
  function fileOf({ appointments, shuffled, isEven }: ReturnType<typeof aCalendar>, cprs: string[]): string {
    const dots = (day: string) => day.split("-").reverse().join(".");
    const lines = appointments.map(
      ({ patient, code, day, time, isCancelled }) =>
        `${cprs[patient]};;;;${dots(day)};${time};30;${code};;${isCancelled ? "aflyst" : ""}\n`,
    );
    const others = ["01.11.2026", "01.03.2027"].map((day) => lineOf("610181-9998", day));
    return `${head}\n${shuffled([...lines, ...others, ...(isEven() ? lines.slice(0, 1) : [])]).join("")}`;
  }

  async function planOf(referralId: number) {
    const rows = await portal.db
      .selectFrom("visitAppointment")
      .select(["externalCode as code", "date as day", "time"])
      .where("referralId", "=", referralId)
      .where("isCancelled", "=", false)
      .execute();
    return timesOf(rows);
  }

  const outcomesOf = ({ rows }: Awaited<ReturnType<typeof read>>) => rows.map(({ line, status }) => [line, status]);

  test("is the plan after each import, asks nothing, and the dry run is what happens", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e9 }), async (seed) => {
        calendars += 1;
        const cprs = [1, 2, 3].map((nth) => `610181-${calendars * 10 + nth + 2000}`);
        const ids: number[] = [];
        for (const cpr of cprs)
          ids.push(await aReferral(portal, dentist, { cpr6: cpr.slice(0, 6), cpr4: cpr.slice(7) }));
        const calendar = aCalendar(seed, cprs.length);
        for (let day = 0; day < DAYS; day += 1) {
          const today = addDays(FIRST_DAY, day);
          portal.clock.set(`${today}T08:00:00.000Z`);
          calendar.changeFor(today);
          const text = fileOf(calendar, cprs);
          const file = await upload(text);
          const dryRun = await read(file);
          expect(dryRun.questions).toEqual([]);
          await importAll(file);
          expect(outcomesOf(await read(file))).toEqual(outcomesOf(dryRun));
          for (const [patient, id] of ids.entries()) {
            const own = calendar.appointments.filter((each) => each.patient === patient && !each.isCancelled);
            expect(await planOf(id), `${today}, patient ${patient}\n${text}`).toEqual(timesOf(own));
          }
          if (day % 10 === 9) {
            const again = await read(await upload(text));
            expect(again.rows.every(({ status }) => [1, 7].includes(status))).toBe(true);
          }
        }
      }),
      { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: SEED }), endOnFailure: true },
    );
  });
});
