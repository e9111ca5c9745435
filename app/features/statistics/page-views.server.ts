import { type Db, inTransaction } from "~db/connection.server";
import type { PageViews } from "~/portal.server";
import { localDate } from "~/text/dates";
import { addPageViews, type PageView } from "./store.server";

/** Counted page names by read operation (docs/rules/statistics.md). Operations not listed are not counted. */
export const pageNames: Readonly<Record<string, string>> = {
  listReferrals: "management/overview",
  readOpenReferral: "management/overview",
  readWizardPage: "management/henvisning-tandlaeger",
  readReceiptPage: "management/visit-sent",
  listCallUps: "management/call-up-letters",
  readSmsPage: "/management/sms",
  readStatistics: "management/statistics",
  listDrafts: "management/draft-visits",
  listDischargeLetters: "management/ending-letter",
  readProfile: "management/change-password",
  listUsers: "management/users",
  listClinicsPage: "management/clinics",
  listLog: "management/logs",
  listFailures: "management/logs",
  listAccess: "management/logs",
  readSettingsPage: "management/settings",
  listParking: "/management/parking",
};

function isWithin(page: string, address: string | null): boolean {
  const path = address === null ? undefined : /^https?:\/\/[^/?#]*([^?#]*)/.exec(address)?.[1];
  const own = `/${page.replace(/^\//, "")}`;
  return path === own || path?.startsWith(`${own}/`) === true;
}

const BATCH_AFTER_MS = 10_000;

/** Counts pages by day and role and writes in batches. A crash loses a few seconds. */
export function createPageViews(db: Db, clock: { now(): Date }, onError: (error: unknown) => void): PageViews {
  let waiting = new Map<string, PageView>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const views = [...waiting.values()];
    waiting = new Map();
    if (views.length > 0) await inTransaction(db, (tx) => addPageViews(tx, views));
  };
  return {
    count(operation, actor, from = null) {
      const page = pageNames[operation];
      const role = actor.kind === "person" ? actor.roles[0] : undefined;
      if (page === undefined || role === undefined || isWithin(page, from)) return;
      const day = localDate(clock.now());
      const key = `${day} ${page} ${role}`;
      waiting.set(key, { day, page, role, n: (waiting.get(key)?.n ?? 0) + 1 });
      timer ??= setTimeout(() => void flush().catch(onError), BATCH_AFTER_MS);
      timer.unref();
    },
    flush,
  };
}
