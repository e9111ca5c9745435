import { z } from "zod";
import { lookUp, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { openList } from "~/lists/define-list.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { readPage } from "~/lists/read-page.server";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import { isoMoment } from "~/text/dates";
import { importProgress } from "./import-appointments.server";
import type { ImportLogFilter } from "./import-log-columns";
import { importLog } from "./import-log-list.server";
import { openImportRow, strangersIn } from "./import-row.server";
import { FILE_UNKNOWN } from "./import-rules";

/** How far the import of a file has come (GET /Appointments/csv/track-process). Throws `notInScope`. */
export const trackImport = read({
  name: "trackImport",
  permission: "appointments.import",
  input: z.object({ fileId: z.number().int() }),
  async run({ db }, { fileId }) {
    const progress = await importProgress(db, fileId);
    if (!progress) throw new Refusal("notInScope", { text: FILE_UNKNOWN });
    return progress;
  },
});

export const listImportLog = read({
  name: "listImportLog",
  permission: "appointments.import",
  input: z.object(listInput(importLog)),
  async run({ person, portal, auditRead, auditStrangers }, input) {
    const { typed, shown } = requestedFilter(importLog, portal, person, input);
    const list = openList(importLog, portal.secrets, person, typed, null);
    const { rows, ...page } = await readPage(portal, person, list, input);
    auditRead(rows.flatMap((row) => row.referral_id ?? []));
    auditStrangers(strangersIn(portal.secrets, rows));
    return {
      ...page,
      ...shown(),
      rows: rows.map((row) => {
        const values = openImportRow(portal.secrets, row);
        return {
          id: row.id,
          importedAt: isoMoment(row.import_date!),
          /** The CPR number, or the cell's text when it is none. */
          cpr: values.cpr ?? (values.cprText || null),
          referralId: row.referral_id,
          date: row.operation_date,
          time: row.operation_time,
          status: row.status ?? 0,
          note: row.note,
          code: row.external_code,
        };
      }),
    };
  },
});

export const filterImportLog = lookUp({
  name: "filterImportLog",
  permission: "appointments.import",
  input: filterForm(importLog.rules),
  async run({ portal, person }, { sort: _onlyOne, ...typed }) {
    const filter = allowedFilter(importLog.filters, person, typed as ImportLogFilter);
    const isEmpty = Object.values(filter).every((value) => value === undefined);
    const query = isEmpty ? "" : `?f=${encodeURIComponent(sealFilter(importLog, portal.secrets, person, filter))}`;
    return { to: `${paths.settings}${query}#importlog` };
  },
});
