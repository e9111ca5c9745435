import { Readable } from "node:stream";
import { z } from "zod";
import type { Person } from "~/access/actor";
import { read, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import {
  callTypes,
  healthInsuranceTypes,
  labelOf,
  paymentTypes,
  referenceTypes,
} from "~/features/referrals/model/referral";
import { statusLabel, type StatusSettings } from "~/features/referrals/model/status";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";
import type { Portal } from "~/portal.server";
import { localDate, showDate, showDay } from "~/text/dates";
import { spreadsheetLines } from "~/text/spreadsheet-lines.server";
import { exportHeads, openExport, type ExportRequest } from "./operations.server";
import { type ExportRow, findExportRows, markExported } from "./export-store.server";

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
    const ids = rows.map(({ id }) => id);
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
    row.external_id ?? "",
    sealedCpr.open(secrets, row) ?? "",
    row.first_name,
    row.last_name,
    row.address ?? "",
    row.zip ?? "",
    row.city ?? "",
    row.phone ?? "",
    row.mobile_phone ?? "",
    row.email ?? "",
    name(row.referrer_first_name, row.referrer_last_name),
    row.external_doctor_id ?? "",
    row.clinic_name ?? "",
    labelOf(referenceTypes, row.reference_type),
    labelOf(callTypes, row.call_type),
    labelOf(paymentTypes, row.payment_type),
    row.is_health_insurance === 1 ? labelOf(healthInsuranceTypes, row.health_insurance_type) : "",
    showDate(row.create_date),
    statusLabel(row.status, settings, person),
    row.treatment_type ?? "",
    row.operation_date === null ? "" : showDay(row.operation_date),
    name(row.surgeon_first_name, row.surgeon_last_name),
    row.desired_treatment ?? "",
    row.diagnose ?? "",
  ];
}
