import type { Person } from "~/access/actor";
import type { Portal } from "~/portal.server";
import { ACUTE_CASE, fillCase, isAcute } from "./content/clinical-texts.server";
import { createPatients } from "./content/people.server";
import { createRandom, type Random } from "./content/seeded-random.server";
import { forgottenPassword, importTale, parkingTale, setUpTale, visitTale } from "./demo-desk.server";
import { ediTale } from "./demo-edi.server";
import { findDemo, makeDemoPeople } from "./demo-people.server";
import { drawPictures } from "./demo-pictures.server";
import { createDemoProviders } from "./demo-providers.server";
import { createStoryClock, playInOrder } from "./demo-scenario.server";
import { smsTale } from "./demo-sms.server";
import { type Course, type Plot, referralTale } from "./demo-story.server";
import type { Older } from "./older-course.server";
import { olderTale } from "./older-referrals.server";
import { followedUpFailures, waitingCallUps } from "./demo-waiting-call-ups.server";

const SEED = 20261201;
/** Working days of the demo: ten months. */
const DAYS = 230;
const A_DAY = 1.6;
const REFERRALS = DAYS * A_DAY;
const DRAFTS = 12;
/** The newest referrals, which are played; older ones are over by now. */
const PLAYED = 60;
const BY_EDI = 2;

/**
 * Fills an empty database with people and nearly 400 referrals over all 17 statuses, the same on every machine but dated
 * from today. The newest are made by the portal's operations, in order of time, with the clock set back; the others are
 * inserted. Returns null when there are people already.
 */
export async function makeDemoData(portal: Portal, referrals = REFERRALS) {
  const found = await findDemoData(portal);
  if (found) return found;
  if (await portal.db.selectFrom("user").select("id").limit(1).executeTakeFirst()) return null;
  console.log(`Første start: laver demodata, ${referrals} henvisninger over ti måneder …`);
  const started = performance.now();
  await playDemo(portal, referrals);
  console.log(`Demodata er lavet på ${Math.round((performance.now() - started) / 1000)} s.`);
  return findDemo(portal, demoPatients);
}

/** Null when the people are not the demo's. */
export async function findDemoData(portal: Portal) {
  const someone = await portal.db
    .selectFrom("user")
    .select("id")
    .where("userName", "=", "tandlaege2")
    .executeTakeFirst();
  return someone === undefined ? null : findDemo(portal, demoPatients);
}

/** The same people in every demo that is filled in the same year. */
export const demoPatients = (year: number) =>
  createPatients(REFERRALS + DRAFTS + BY_EDI, SEED, new Date(Date.UTC(year, 6, 1)));

async function playDemo(portal: Portal, referrals: number): Promise<void> {
  const today = portal.clock.now();
  const clock = createStoryClock(today);
  const providers = createDemoProviders(portal, clock);
  const begins = 1 - Math.ceil(referrals / A_DAY);
  clock.set(begins - 2);
  const people = [...(await makeDemoPeople(providers.past, clock.now())).values()];
  const patients = demoPatients(today.getUTCFullYear());
  const active = people.filter(({ userName }) => userName !== "aaegidius");
  const admin = people.find(({ userName }) => userName === "admin")!;
  const surgeons = people.filter(({ roles }) => roles.includes("Surgeon"));
  const desk = { providers, clock, by: admin };
  const waiting = new Set<number>();
  const cast = {
    providers,
    clock,
    past: providers.past,
    pictures: await drawPictures(),
    staff: { admin, surgeons },
    waiting,
  };

  const older: Older[] = [];
  const referralTales = Array.from({ length: referrals + DRAFTS }).flatMap((_, index) => {
    const isDraft = index >= referrals;
    // A shorter demo has the same newest referrals.
    const fromEnd = referrals - 1 - index;
    const random = createRandom(SEED + fromEnd);
    const patient = patients[index === 0 ? 0 : isDraft ? REFERRALS - 1 - fromEnd : fromEnd + 1]!;
    const starts = isDraft ? 1 - random.between(0, 15) : 1 - (fromEnd + random.between(0.1, 0.9)) / A_DAY;
    const until = isDraft ? (random.integer(1, 3) as 1 | 2 | 3) : "sent";
    const sides = chooseWriter(active, random, index === 0);
    const ediId = !isDraft && random.chance(0.2) ? String(900_000 + index) : null;
    const writer = ediId === null ? sides.writer : admin;
    const story = {
      ...cast,
      ...sides,
      writer,
      ediId,
      random,
      patient,
      case: caseOf(random, fromEnd),
    };
    const fate = fateOf(random, fromEnd);
    if (fromEnd < PLAYED) return [referralTale(story, { starts, until, ...fate })];
    older.push({ story, starts, fate: fates[fate.course] ?? "treated" });
    return [];
  });
  await playInOrder(
    clock,
    [
      setUpTale(desk, begins - 1.5, people),
      olderTale(providers.past, clock, older, 1 - PLAYED / A_DAY),
      ...referralTales,
      followedUpFailures(desk, begins + 5),
      waitingCallUps({ ...desk, waiting }),
      smsTale(desk),
      ediTale(providers, patients.slice(-BY_EDI)),
      importTale(desk),
      parkingTale(desk),
      forgottenPassword(desk, "tandlaege2"),
      ...active.map((person, index) => visitTale(desk, 0.9 - index * 0.31, person)),
    ],
    () => providers.deliverDue(),
  );
  await providers.past.audit.flush();
}

function chooseWriter(people: Person[], random: Random, isFirst: boolean) {
  const dentists = people.filter(({ roles }) => roles.includes("Dentist"));
  const referrer = isFirst ? dentists[0]! : random.pick(dentists);
  const colleague = people.find(
    ({ roles, clinicIds }) =>
      roles.some((role) => role.includes("Secretary")) && clinicIds.includes(referrer.primaryClinicId!),
  );
  return { referrer, writer: random.chance(0.4) && colleague ? colleague : referrer };
}

/** The newest referrals that are acute and wait, counted from the last. */
const ACUTE_OF_THE_NEWEST: readonly number[] = [0, 1, 2, 3];
const NEWEST = 38;

function caseOf(random: Random, fromEnd: number) {
  if (fromEnd < 0 || fromEnd >= NEWEST) return fillCase(random);
  if (ACUTE_OF_THE_NEWEST.includes(fromEnd)) return fillCase(random, ACUTE_CASE);
  let filled = fillCase(random);
  while (isAcute(filled)) filled = fillCase(random);
  return filled;
}

/** Courses of certain newest referrals, counted from the last, so that each status occurs today. */
const fated: Readonly<Record<number, Course>> = {
  5: "overlaege",
  6: "material",
  7: "triaged",
  8: "generalAnaesthesia",
  9: "material",
  10: "generalAnaesthesia",
  11: "overlaege",
  12: "generalAnaesthesia",
  13: "callsBack",
  14: "generalAnaesthesia",
  15: "callsBack",
  17: "declined",
  18: "generalAnaesthesia",
  22: "calledTwice",
  24: "calledTwice",
  27: "tu",
  38: "cancelled",
  39: "cancelled",
  42: "notReached",
  46: "notReached",
};

const courses: readonly (readonly [Course, number])[] = [
  ["treated", 68],
  ["calledTwice", 6],
  ["material", 6],
  ["declined", 4],
  ["cancelled", 4],
  ["generalAnaesthesia", 3],
  ["overlaege", 3],
  ["callsBack", 2],
  ["notReached", 2],
  ["tu", 2],
];

/** What of the courses older referrals have; the others were treated. */
const fates: Partial<Record<Course, Older["fate"]>> = {
  cancelled: "cancelled",
  notReached: "notReached",
  declined: "declined",
  tu: "tu",
};

function fateOf(random: Random, fromEnd: number): Pick<Plot, "course" | "waitsForCallUp"> {
  let left = random.between(0, 100);
  const [drawn] = courses.find(([, weight]) => (left -= weight) < 0) ?? courses[0]!;
  const course = fated[fromEnd] ?? (fromEnd < NEWEST ? "treated" : drawn);
  const isBehind =
    fromEnd > 4 &&
    (fromEnd < 21 || (fromEnd < 38 && fromEnd % 2 === 0)) &&
    (course === "treated" || course === "generalAnaesthesia");
  return { course, waitsForCallUp: isBehind || ACUTE_OF_THE_NEWEST.includes(fromEnd) };
}
