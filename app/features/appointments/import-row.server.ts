import type { Secrets } from "~/access/secrets.server";
import { sealedImport } from "~/access/sealed-column.server";
import type { AppointmentRow } from "./appointment-csv.server";

type SealedRow = Parameters<typeof sealedImport.open>[1] & { file_id: number; referral_id: number | null };

export const openImportRow = (secrets: Secrets, row: SealedRow) =>
  JSON.parse(sealedImport.open(secrets, row) ?? "{}") as Partial<AppointmentRow>;

/** People in rows without a referral, for the audit. */
export const strangersIn = (secrets: Secrets, rows: readonly SealedRow[]) =>
  rows.flatMap((row) => {
    const { cpr = null, cprText, name } = openImportRow(secrets, row);
    if (row.referral_id !== null || !(cpr || cprText || name)) return [];
    return { cpr, where: `appointment file ${row.file_id}` };
  });
