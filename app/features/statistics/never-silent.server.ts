import type { DbOrTx } from "~db/connection.server";
import { addDays, mondayOf, weekOf } from "~/text/calendar";
import type { Period } from "./period";
import { countByBucket, countByClinic, countByDay, EVER, findNames } from "./store.server";
import { findSilenceKnownFrom } from "./sums/store.server";

const earlier = (one: string, other: string) => (one < other ? one : other);

/**
 * Silent referrals in each week that the period touches, up to today: those that were silent at the end of a day of the
 * week, and how many of them still were at the end of its Sunday, or are now. Null where silences were not known yet.
 */
export async function readSilentWeeks(db: DbOrTx, { from, to }: Period, today: string) {
  const first = mondayOf(from);
  const last = earlier(addDays(mondayOf(to), 6), today);
  const [before, byDay, knownFrom] = await Promise.all([
    countByBucket(db, "silence", { from: EVER, to: addDays(first, -1) }),
    countByDay(db, "silence", { from: first, to: last }),
    findSilenceKnownFrom(db),
  ]);
  const on = (day: string, bucket: string) => byDay.get(`${day} ${bucket}`) ?? 0;
  let silent = (before.get("began") ?? 0) - (before.get("ended") ?? 0);
  const weeks = [];
  for (let monday = first; monday <= last; monday = addDays(monday, 7)) {
    const end = earlier(addDays(monday, 6), last);
    let during = silent + on(monday, "began") - on(monday, "ended");
    for (let day = monday; day <= end; day = addDays(day, 1)) {
      silent += on(day, "began") - on(day, "ended");
      if (day > monday) during += on(day, "began") - on(day, "again");
    }
    const isKnown = knownFrom === null || knownFrom <= addDays(monday, 6);
    weeks.push({
      ...weekOf(monday),
      monday,
      silent: isKnown ? during : null,
      stillSilent: isKnown ? silent : null,
    });
  }
  return weeks;
}

/** Items of material that were asked for, by clinic and kind, beside the referrals that each clinic sent; most first. */
export async function readMissingMaterial(db: DbOrTx, period: Period) {
  const [asked, sent] = await Promise.all([countByClinic(db, "material", period), countByClinic(db, "sent", period)]);
  const ids = [...new Set(asked.map(({ clinicId }) => clinicId))];
  const { clinics: names } = await findNames(db, { referrers: [], clinics: ids });
  return ids
    .map((clinicId) => {
      const own = asked.filter((row) => row.clinicId === clinicId);
      return {
        clinicId,
        clinic: names.get(clinicId) ?? null,
        byKind: Object.fromEntries(own.map(({ bucket, n }) => [bucket, n])),
        total: own.reduce((sum, { n }) => sum + n, 0),
        referrals: sent.find((row) => row.clinicId === clinicId)?.n ?? 0,
      };
    })
    .sort((one, other) => other.total - one.total || one.clinicId - other.clinicId);
}
