import { z } from "zod";
import { lookUp, read } from "~/access/operation.server";
import { sealedImport } from "~/access/sealed-column.server";
import { openList } from "~/lists/define-list.server";
import { filterFields, filterForm } from "~/lists/filter-rules.server";
import { activeFilters, allowedFilter } from "~/lists/filters";
import { pageByNumber, readPage } from "~/lists/read-page.server";
import { sealFilter, unsealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import { isoMoment } from "~/text/dates";
import type { AppointmentRow } from "./appointment-csv.server";
import type { ImportLogFilter } from "./import-log-columns";
import { importLog } from "./import-log-list.server";

/** AFTALETIDSIMPORT: a page of what became of the rows of the imported files (GET /Appointments/logs). */
export const listImportLog = read({
  name: "listImportLog",
  permission: "appointments.import",
  input: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
    cursor: z.string().max(2000).nullish().catch(null),
    f: z.string().nullish(),
    /** The filter as it is, for a caller whose address nobody else reads. */
    filter: z.object(filterFields(importLog.rules, (schema) => schema.optional())).optional(),
    ...pageByNumber,
  }),
  async run({ person, portal, auditRead }, { f, filter, ...asked }) {
    const unsealed = f ? unsealFilter(importLog, portal.secrets, person, f) : ((filter ?? {}) as ImportLogFilter);
    const list = openList(importLog, portal.secrets, person, unsealed ?? {}, null);
    const { rows, ...page } = await readPage(portal, person, list, asked);
    auditRead(rows.flatMap((row) => row.referral_id ?? []));
    return {
      ...page,
      f: unsealed === null ? null : (f ?? null),
      wasReset: unsealed === null,
      filter: list.filter,
      active: activeFilters(importLog.filters, list.filter).map((each) => ({
        ...each,
        without: sealFilter(importLog, portal.secrets, person, { ...list.filter, [each.key]: undefined }),
      })),
      rows: rows.map((row) => {
        const values = JSON.parse(sealedImport.open(portal.secrets, row) ?? "{}") as Partial<AppointmentRow>;
        return {
          id: row.id,
          importedAt: isoMoment(row.import_date!),
          /** As it was read; what stood there where that is no CPR number. */
          cpr: values.cpr ?? values.cprText ?? null,
          referralId: row.referral_id,
          date: row.operation_date,
          time: row.operation_time,
          status: row.status ?? 0,
          code: row.external_code,
        };
      }),
    };
  },
});

/** 'Søg' over the log: seals what was typed and answers where the list is. */
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
