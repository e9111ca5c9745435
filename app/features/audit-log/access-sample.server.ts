import { randomInt } from "node:crypto";
import { z } from "zod";
import { change, read, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { paths } from "~/paths";
import { addMonths } from "~/text/calendar";
import { startOfDay } from "~/text/copenhagen.server";
import { localDate, toMoment } from "~/text/dates";
import { requiredText } from "~/text/fields.server";
import { fullName, joinedName } from "~/text/names";
import { type DbOrTx, idsOf } from "~db/connection.server";
import {
  findChanges,
  findEvents,
  findIdRange,
  findLookUps,
  findMemberships,
  findReferralsOf,
  findSample,
  findSampledReferrals,
  findSamples,
  insertSample,
  type SampledLookUp,
  signSample,
} from "./store.server";

const SIZE = 10;
const BATCH_SIZE = 200;
/** Limits the ids that are tried, so that a month of few look-ups among many events costs no more. */
const MAX_BATCHES = 50;
const MAX_SHOWN = 120;

/** 'YYYY-MM' of the month before this one, in Copenhagen. */
const lastMonth = (now: Date) => addMonths(`${localDate(now).slice(0, 7)}-01`, -1).slice(0, 7);

function spanOf(month: string) {
  const first = `${month}-01`;
  return { from: startOfDay(first), until: startOfDay(addMonths(first, 1)) };
}

/**
 * Ten look-ups of the month, each as likely as any other: random ids are tried until ten of them are look-ups that a person made. A month
 * with fewer events than ids to try is gone through whole.
 */
async function drawLookUps(db: DbOrTx, month: string): Promise<SampledLookUp[]> {
  const span = spanOf(month);
  const range = await findIdRange(db, span);
  if (range === undefined) return [];
  const { first, last } = range;
  const count = last - first + 1;
  const isSmall = count <= BATCH_SIZE * MAX_BATCHES;
  const drawn = new Map<number, SampledLookUp>();
  for (let batch = 0; batch < MAX_BATCHES && (isSmall || drawn.size < SIZE); batch += 1) {
    const ids = isSmall
      ? idsFrom(first + batch * BATCH_SIZE, last)
      : Array.from({ length: BATCH_SIZE }, () => first + randomInt(count));
    if (ids.length === 0) break;
    for (const lookUp of await findLookUps(db, ids, span)) drawn.set(lookUp.eventId, lookUp);
  }
  return withAnyReferral(db, shuffled([...drawn.values()]).slice(0, SIZE));
}

/** Draws one referral of a list at random, each with the same probability. */
async function withAnyReferral(db: DbOrTx, lookUps: readonly SampledLookUp[]): Promise<SampledLookUp[]> {
  if (lookUps.length === 0) return [];
  const seen = await findReferralsOf(
    db,
    lookUps.map(({ eventId }) => eventId),
  );
  return lookUps.map(({ eventId }) => {
    const own = seen.filter((each) => each.eventId === eventId);
    return { eventId, referralId: own[randomInt(own.length)]!.referralId };
  });
}

const idsFrom = (first: number, last: number) =>
  Array.from({ length: Math.max(0, Math.min(BATCH_SIZE, last - first + 1)) }, (_, at) => first + at);

function shuffled<T>(items: T[]): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [items[at], items[other]] = [items[other]!, items[at]!];
  }
  return items;
}

/**
 * 'Træk stikprøve': draws last month's sample once. Pressed again, also by another person, it changes nothing and
 * answers so.
 */
export const drawAccessSample = change({
  name: "drawAccessSample",
  permission: "audit.read",
  async run({ tx, person, now, auditChange }) {
    const month = lastMonth(now);
    const lookUps = await drawLookUps(tx, month);
    const isDrawn = await insertSample(tx, { month, drawnAt: toMoment(now), drawnBy: person.id, lookUps });
    auditChange([], `access sample of ${month}`);
    return {
      to: paths.accessSample,
      flash: isDrawn
        ? { tone: "success", text: "Stikprøven er trukket." }
        : { tone: "info", text: "Stikprøven var allerede trukket." },
    };
  },
});

/**
 * 'Godkend': signs a sample with a note. Throws `conflict` where it has been signed, is empty or not there, or holds a
 * look-up of the person who signs.
 */
export const signAccessSample = change({
  name: "signAccessSample",
  permission: "audit.read",
  input: z.object({
    month: z.string().regex(/^\d{4}-\d\d$/),
    sampleNote: requiredText("Skriv, hvad gennemgangen viste.", 2000),
  }),
  async run({ tx, person, now, auditChange }, { month, sampleNote }) {
    const sample = await findSample(tx, month);
    const lookUps = sample === undefined ? [] : (JSON.parse(sample.lookups) as SampledLookUp[]);
    if (sample !== undefined && lookUps.length === 0)
      throw new Refusal("conflict", { text: "Stikprøven er tom, så der er intet at godkende." });
    const events =
      lookUps.length === 0
        ? []
        : await findEvents(
            tx,
            lookUps.map(({ eventId }) => eventId),
          );
    if (events.some(({ userId }) => userId === person.id))
      throw new Refusal("conflict", {
        text: "Et af opslagene er dit eget, så en anden skal gå stikprøven igennem og godkende den.",
      });
    const isSigned = await signSample(tx, { month, note: sampleNote, at: toMoment(now), by: person.id });
    if (!isSigned) throw new Refusal("conflict", { text: "Stikprøven er allerede godkendt. Genindlæs siden." });
    auditChange([], `access sample of ${month}`);
    return {
      to: paths.accessSample,
      ...succeeded("Stikprøven er godkendt."),
    };
  },
});

/** How a person and a patient are connected, the closest first. The sample is there to find `none`. */
export type Relation = "surgeon" | "referrer" | "creator" | "clinic" | "changed" | "none";

/** The sample to go through, and the earlier ones. A `month` ('YYYY-MM') opens that month's. */
export const readAccessSample = read({
  name: "readAccessSample",
  permission: "audit.read",
  input: z.object({ month: z.string().nullish().catch(null) }),
  async run({ db, now, auditRead }, { month }) {
    const due = lastMonth(now);
    const samples = await findSamples(db, MAX_SHOWN);
    const shown =
      samples.find((sample) => sample.month === month) ??
      samples.find((sample) => sample.signedAt === null && sample.lookups !== "[]");
    const lookUps = shown === undefined ? [] : (JSON.parse(shown.lookups) as SampledLookUp[]);
    auditRead(
      lookUps.map(({ referralId }) => referralId),
      "access sample",
    );
    return {
      due,
      isDrawn: samples.some((sample) => sample.month === due),
      shown: shown && { ...present(shown), lookUps: await describe(db, lookUps) },
      earlier: samples.filter((sample) => sample !== shown).map(present),
    };
  },
});

const present = (sample: Awaited<ReturnType<typeof findSamples>>[number]) => ({
  month: sample.month,
  drawnAt: sample.drawnAt,
  drawnBy: fullName({ firstName: sample.drawerFirstName, lastName: sample.drawerLastName }),
  note: sample.note,
  signedAt: sample.signedAt,
  signedBy: joinedName(sample.signerFirstName, sample.signerLastName),
});

/** Look-ups in order of time. One whose event or referral has been deleted by age is left out. */
async function describe(db: DbOrTx, lookUps: readonly SampledLookUp[]) {
  if (lookUps.length === 0) return [];
  const events = await findEvents(
    db,
    lookUps.map(({ eventId }) => eventId),
  );
  const referrals = await findSampledReferrals(
    db,
    lookUps.map(({ referralId }) => referralId),
  );
  if (events.length === 0 || referrals.length === 0) return [];
  const userIds = events.map(({ userId }) => userId);
  const members = await findMemberships(db, userIds);
  const changes = await findChanges(db, { userIds, referralIds: idsOf(referrals) });
  const shown = lookUps.flatMap(({ eventId, referralId }) => {
    const event = events.find(({ id }) => id === eventId);
    const referral = referrals.find(({ id }) => id === referralId);
    return event && referral ? [{ event, referral }] : [];
  });
  return shown
    .map(({ event, referral }) => ({
      id: event.id,
      at: event.at,
      name: fullName(event),
      userName: event.userName,
      role: event.role,
      actorKind: event.actorKind,
      operation: event.operation,
      referralId: referral.id,
      patient: fullName(referral),
      relation: relationOf(event.userId, referral, { members, changes }),
    }))
    .sort((one, other) => (one.at < other.at ? -1 : 1));
}

function relationOf(
  userId: number,
  referral: Awaited<ReturnType<typeof findSampledReferrals>>[number],
  { members, changes }: { members: ReadonlySet<string>; changes: ReadonlySet<string> },
): Relation {
  if (referral.surgeonId === userId) return "surgeon";
  if (referral.referrerId === userId) return "referrer";
  if (referral.creatorId === userId) return "creator";
  if (members.has(`${userId} ${referral.clinicId}`)) return "clinic";
  return changes.has(`${userId} ${referral.id}`) ? "changed" : "none";
}
