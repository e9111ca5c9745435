/**
 * Program of the demo data (build/demo-data.js): a bundle of its own, so that production's has none. It opens a portal of
 * its own, because a database, transaction or error of the other bundle is none of its classes.
 */
import { type Config, ConfigError } from "~/config/config.server";
import { openPortal } from "~/open-portal.server";
import type { Portal } from "~/portal.server";
import { makeBulkDemoData } from "./bulk.server";
import { makeDemoData } from "./demo-data.server";

interface Options {
  config: Config;
  readerProgram: string;
}

/** Fills an empty database. Answers the demo accounts, or null when other people are there. */
export const fillEmptyDatabase = (options: Options) => withPortal(options, makeDemoData);

/** Runs `demo-data --referrals N`. Returns the error in the arguments, or null. */
export function addReferrals(options: Options, args: string[]): Promise<string | null> {
  return withPortal(options, async (portal) => {
    try {
      await makeBulkDemoData(portal, args);
      return null;
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  });
}

async function withPortal<T>({ config, readerProgram }: Options, work: (portal: Portal) => Promise<T>): Promise<T> {
  const portal = await openPortal(config, { readerProgram });
  try {
    return await work(portal);
  } finally {
    await portal.close();
  }
}
