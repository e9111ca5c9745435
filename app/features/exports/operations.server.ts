import { z } from "zod";
import { addMinutes } from "date-fns";
import { Readable } from "node:stream";
import { change, type ChangeContext, lookUp, read, type ReadContext } from "~/access/operation.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { defaultStatuses, statusLabel, type StatusSettings } from "~/features/referrals/model/status";
import { unsealFilter, filterFields } from "~/lists/filter.server";
import { countExport, type ExportRow, findExportRows, markExported } from "./export-store.server";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { filterRules, type OverviewFilter } from "~/features/referrals/list/filter-sql.server";
import { filters } from "~/features/referrals/list/filters";
import { allowedFilter } from "~/lists/filters";
import type { CommandResult } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { serverPaths } from "~/paths";
import { addYears } from "~/text/calendar";
import { optionalDay } from "~/text/fields.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import {
  callTypes,
  healthInsuranceTypes,
  labelOf,
  paymentTypes,
  referenceTypes,
} from "~/features/referrals/model/referral";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";
import type { Portal } from "~/portal.server";
import { localDate, showDate, showDay, toMoment } from "~/text/dates";
import { spreadsheetLines } from "~/text/spreadsheet-lines.server";
import { idsOf } from "~db/connection.server";
import { findSetting } from "~/features/settings/settings.server";
import { saveSettings } from "~/features/settings/setting-store.server";

export const exportHeads = [
  "Nr.",
  "EDI-id",
  "CPR",
  "Fornavn",
  "Efternavn",
  "Adresse",
  "Postnr",
  "By",
  "Telefon",
  "Mobil",
  "E-mail",
  "Henviser",
  "Henviser id",
  "Klinik",
  "Henvisningstype",
  "Indkaldelse",
  "Betaling",
  "Sygesikring",
  "Oprettet",
  "Status",
  "Behandlingstype",
  "Operationsdato",
  "Kirurg",
  "Ønsket behandling",
  "Diagnose",
] as const;

const MAX_SELECTED = 500;

/** Setting with the moment of the newest export of type 4, 'new patient data with referral'. */
const LAST_EXPORT = "lastExport.4";

/** Moment of the last export in UTC, null before the first (GET /Visits/csv/settings). */
export const readLastExport = read({
  name: "readLastExport",
  permission: "referral.export",
  async run({ db }) {
    const last = await findSetting(db, LAST_EXPORT);
    return { dateTime: last };
  },
});

const pickedRow = z.string().regex(/^\d{1,12}(:\d{1,12})?$/, "Vælg henvisningerne i listen igen.");
const pickedRows = z.array(pickedRow).max(MAX_SELECTED, `Vælg højst ${MAX_SELECTED} ad gangen.`);
const idOf = (pick: string) => Number.parseInt(pick, 10);

/** 'Eksport' and 'Eksportér valgte': redirects to the export page. Its address holds the filter and the rows' numbers. */
export const askExport = lookUp({
  name: "askExport",
  permission: "referral.export",
  input: z.object({ f: z.string().optional(), pick: pickedRows.default([]) }),
  run: (_context, { f, pick }) => Promise.resolve({ to: serverPaths.exportPage(f ?? null, pick.map(idOf)) }),
});

/** The export page: last export (GET /Visits/csv/settings), the filter's count, and picked rows. */
export const readExportPage = read({
  name: "readExportPage",
  permission: "referral.export",
  input: z.object({
    f: z.string().nullish(),
    pick: pickedRows.catch([]),
  }),
  async run({ db, person, portal }, { f, pick }) {
    const typed = f ? unsealFilter(overview, portal.secrets, person, f) : {};
    const filter = { ...typed, statuses: typed?.statuses ?? defaultStatuses(person) };
    const last = await findSetting(db, LAST_EXPORT);
    return {
      lastExportAt: last,
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

export type ExportRequest = { filter: OverviewFilter } | { ids: number[] };

const requestShape = z.union([
  z.strictObject({ ids: z.array(z.number().int().positive()).min(1).max(MAX_SELECTED) }),
  z.strictObject({ filter: z.strictObject(filterFields(filterRules, (schema) => schema.optional())) }),
]);
const sealedShape = z.strictObject({ request: requestShape, until: z.number() });

const SEALED_MINUTES = 60;

/** Seals an export for its address, since a filter may hold a name or CPR number. */
function sealExport(secrets: Secrets, person: Person, request: ExportRequest, now: Date): string {
  return secrets.encrypt(
    "seal",
    JSON.stringify({ request, until: addMinutes(now, SEALED_MINUTES).getTime() }),
    `export:${person.id}`,
  );
}

function openExport(secrets: Secrets, person: Person, sealed: string, now: Date): ExportRequest | null {
  const plain = secrets.decrypt("seal", sealed, `export:${person.id}`);
  const parsed = plain === null ? null : sealedShape.safeParse(JSON.parse(plain));
  if (!parsed?.success || parsed.data.until < now.getTime()) return null;
  const { request } = parsed.data;
  return "ids" in request ? request : { filter: allowedFilter(filters, person, request.filter as OverviewFilter) };
}

/**
 * 'Eksport efter dato' (GET /Visits/download/csv/bydates): at most a year, both days included; one date alone means the
 * year after or before it. Returns the download's address, or 'Ingen data...'.
 */
export const exportByDates = change({
  name: "exportByDates",
  permission: "referral.export",
  input: z.object({ dateFrom: optionalDay, dateTo: optionalDay }).superRefine(({ dateFrom, dateTo }, context) => {
    const issue = (message: string) => context.addIssue({ code: "custom", path: ["dateFrom"], message });
    if (dateFrom === null && dateTo === null) issue("Vælg mindst én dato.");
    if (dateFrom === null || dateTo === null) return;
    if (dateFrom > dateTo) issue("Fra-datoen kan ikke være efter til-datoen.");
    else if (dateTo > addYears(dateFrom, 1)) issue("Perioden kan højst være et år.");
  }),
  async run(context, { dateFrom, dateTo }) {
    const filter = { dateFrom: dateFrom ?? addYears(dateTo!, -1), dateTo: dateTo ?? addYears(dateFrom!, 1) };
    return begin(context, { filter });
  },
});

/** 'Eksport af alle patientdata': everything the list's filter matches. Throws `invalid` for an invalid filter. */
export const exportFiltered = change({
  name: "exportFiltered",
  permission: "referral.export",
  input: z.object({ f: z.string().optional() }),
  async run(context, { f }) {
    const typed: OverviewFilter | null = f ? unsealFilter(overview, context.portal.secrets, context.person, f) : {};
    if (typed === null)
      throw new Refusal("invalid", { text: "Filteret gælder ikke længere. Gå tilbage til oversigten, og søg igen." });
    return begin(context, { filter: { ...typed, statuses: typed.statuses ?? defaultStatuses(context.person) } });
  },
});

/** Exports picked rows; `pick` is an id, or the checkbox value, an id with the version seen. */
export const exportPicked = change({
  name: "exportPicked",
  permission: "referral.export",
  input: z.object({ pick: pickedRows.default([]) }),
  async run(context, { pick }) {
    if (pick.length === 0) throw new Refusal("invalid", { text: "Vælg en eller flere henvisninger i listen først." });
    return begin(context, { ids: [...new Set(pick.map(idOf))] });
  },
});

async function begin({ tx, person, portal, now }: ChangeContext, request: ExportRequest): Promise<CommandResult> {
  const nothing = "filter" in request && request.filter.statuses?.length === 0;
  const count = nothing ? 0 : await countExport(tx, request, { actor: person, secrets: portal.secrets });
  if (count === 0) return { flash: { tone: "info", text: "Ingen data..." } };
  await saveSettings(tx, { [LAST_EXPORT]: toMoment(now) }, person.id, now);
  return { to: serverPaths.exportCsv(sealExport(portal.secrets, person, request, now)) };
}

/** Rows per batch; on SQLite other requests wait for one batch. */
const BATCH_SIZE = 100;

/**
 * Streams the export as CSV: UTF-16LE with a byte order mark, tabs and CRLF, the only UTF-16 that Excel opens in
 * columns. Cells that a spreadsheet would run as a formula get an apostrophe. No connection is held between batches.
 * Each batch is audited before it is sent; referrals are marked as exported once the whole file has been sent. Throws
 * `notInScope` for an invalid, foreign or expired address.
 */
export const downloadExport = read({
  name: "downloadExport",
  permission: "referral.export",
  input: z.object({ e: z.string().max(20_000) }),
  async run({ person, portal, now, auditRead }, { e }) {
    const request = openExport(portal.secrets, person, e, now);
    if (request === null)
      throw new Refusal("notInScope", { text: "Linket til eksporten gælder ikke længere. Begynd eksporten igen." });
    const settings = await readStatusSettings(portal.db);
    const exported: ScopedReferralId[] = [];
    return {
      fileName: `henvisninger-${localDate(now)}.csv`,
      mime: "text/csv; charset=utf-16le",
      disposition: "attachment" as const,
      open: () => Readable.from(csvOf({ portal, person, auditRead }, request, settings, exported)),
      onSent: () => markExported(portal.db, exported),
    };
  },
});

async function* csvOf(
  { portal, person, auditRead }: Pick<ReadContext, "portal" | "person" | "auditRead">,
  request: ExportRequest,
  settings: StatusSettings,
  exported: ScopedReferralId[],
): AsyncGenerator<Buffer> {
  const { db, secrets } = portal;
  yield Buffer.from(`\ufeff${spreadsheetLines([exportHeads])}`, "utf16le");
  let last: ExportRow | null = null;
  for (;;) {
    const rows: ExportRow[] = await findExportRows(db, request, { actor: person, secrets }, last, BATCH_SIZE);
    if (rows.length === 0) return;
    const ids = idsOf(rows);
    // Before sending: nobody knows how much of an aborted file was read.
    auditRead(ids);
    yield Buffer.from(spreadsheetLines(rows.map((row) => cellsOf(row, portal, person, settings))), "utf16le");
    exported.push(...ids);
    last = rows.at(-1)!;
    if (rows.length < BATCH_SIZE) return;
  }
}

function cellsOf(row: ExportRow, { secrets }: Portal, person: Person, settings: StatusSettings): (string | number)[] {
  const name = (first: string | null, last: string | null) => [first, last].filter(Boolean).join(" ");
  return [
    row.id,
    row.externalId ?? "",
    sealedCpr.open(secrets, row) ?? "",
    row.firstName,
    row.lastName,
    row.address ?? "",
    row.zip ?? "",
    row.city ?? "",
    row.phone ?? "",
    row.mobilePhone ?? "",
    row.email ?? "",
    name(row.referrerFirstName, row.referrerLastName),
    row.externalDoctorId ?? "",
    row.clinicName ?? "",
    labelOf(referenceTypes, row.referenceType),
    labelOf(callTypes, row.callType),
    labelOf(paymentTypes, row.paymentType),
    row.isHealthInsurance ? labelOf(healthInsuranceTypes, row.healthInsuranceType) : "",
    showDate(row.createDate),
    statusLabel(row.status, settings, person),
    row.treatmentType ?? "",
    row.operationDate === null ? "" : showDay(row.operationDate),
    name(row.surgeonFirstName, row.surgeonLastName),
    row.desiredTreatment ?? "",
    row.diagnose ?? "",
  ];
}
