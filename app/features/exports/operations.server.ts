import { z } from "zod";
import { read } from "~/access/operation.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { defaultStatuses } from "~/features/referrals/model/status";
import { unsealFilter } from "~/lists/seal-filter.server";
import { isoMoment } from "~/text/dates";
import { MAX_SELECTED } from "./export-columns";
import { countExport, findLastExport } from "./export-store.server";

/** The last export's time (GET /Visits/csv/settings); null for never. */
export const readLastExport = read({
  name: "readLastExport",
  permission: "referral.export",
  input: z.object({}),
  async run({ db }) {
    const last = await findLastExport(db);
    return { dateTime: last === null ? null : isoMoment(last) };
  },
});

/** The export page: last export (GET /Visits/csv/settings), the filter's count, and picked rows. */
export const readExportPage = read({
  name: "readExportPage",
  permission: "referral.export",
  input: z.object({
    f: z.string().nullish(),
    pick: z
      .array(z.string().regex(/^\d{1,12}(:\d{1,12})?$/))
      .max(MAX_SELECTED)
      .catch([]),
  }),
  async run({ db, person, portal }, { f, pick }) {
    const typed = f ? unsealFilter(overview, portal.secrets, person, f) : {};
    const filter = { ...typed, statuses: typed?.statuses ?? defaultStatuses(person) };
    const last = await findLastExport(db);
    return {
      lastExportAt: last === null ? null : isoMoment(last),
      f: typed === null ? null : (f ?? null),
      isFiltered: Boolean(f && typed),
      filteredCount:
        filter.statuses.length === 0
          ? 0
          : await countExport(db, { filter }, { actor: person, secrets: portal.secrets }),
      picks: pick,
    };
  },
});
