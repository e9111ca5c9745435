/**
 * Program of the demo data (build/demo-data.js): a bundle of its own, so that production's has none. It opens a portal of
 * its own, because a database, transaction or error of the other bundle is none of its classes.
 */
import { type Config, ConfigError } from "~/config/config.server";
import { followNextDates } from "~/features/referrals/status/next-dates.server";
import { followToldTimes } from "~/features/referrals/status/told-times.server";
import { followChanges, finishRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { systemCaller } from "~/access/system-caller";
import { openPortal } from "~/open-portal.server";
import type { Portal } from "~/portal.server";
import { localDate } from "~/text/dates";
import { beforeCommit } from "~db/marked-rows.server";
import { makeBulkDemoData } from "./bulk.server";
import { findDemoData, makeDemoData } from "./demo-data.server";
import { isSqlite, makeWhole } from "./whole-database.server";

interface Options {
  config: Config;
  readerProgram: string;
}

/**
 * Creates a SQLite database with demo data, unless the file exists. Returns the message of a configuration error, or
 * null.
 */
export const makeDemoDatabase = (options: Options) =>
  mistakeIn(() =>
    makeWhole(options.config, (config) => withPortal({ ...options, config, isScratch: true }, makeAndCount)),
  );

/** Counts the statistics once at the end; counting them with every change is a tenth of the demo's time. */
async function makeAndCount(portal: Portal): Promise<void> {
  beforeCommit(portal.db, async (tx, marked, now = portal.clock.now()) => {
    await followNextDates(tx, marked, localDate(now));
    await followToldTimes(tx, marked, now);
  });
  await makeDemoData(portal);
  beforeCommit(portal.db, followChanges);
  await finishRecount(portal, systemCaller("demo"));
}

/**
 * Reads what the sign-in page offers of the demo, or null if the database has other people. An empty database of a
 * server is filled here, because only a file can be made under another name.
 */
export const openDemo = (options: Options) =>
  withPortal(options, (portal) => (isSqlite(options.config) ? findDemoData(portal) : makeDemoData(portal)));

/** Runs `demo-data --referrals N`. Returns the message of an error in the arguments, or null. */
export const addReferrals = (options: Options, args: string[]): Promise<string | null> =>
  mistakeIn(() => withPortal(options, (portal) => makeBulkDemoData(portal, args)));

async function mistakeIn(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

async function withPortal<T>(
  { config, readerProgram, isScratch = false }: Options & { isScratch?: boolean },
  work: (portal: Portal) => Promise<T>,
): Promise<T> {
  const portal = await openPortal(config, { readerProgram, isScratch });
  try {
    return await work(portal);
  } finally {
    await portal.close();
  }
}
