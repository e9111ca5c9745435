import { z } from "zod";
import { read } from "~/access/operation.server";
import { isoMoment } from "~/text/dates";
import { findLastExport } from "./export-store.server";

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
