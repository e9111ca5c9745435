import type { ExpressionBuilder } from "kysely";
import type { Database } from "~db/schema";
import { defineList } from "~/lists/define-list.server";
import { filterValue, onDays } from "~/lists/filter.server";
import { defineListPage } from "~/lists/list-page.server";
import { text } from "~/text/fields.server";
import { importLogView } from "./import-log-list";
import { importStatuses } from "./import-rules";
import { openImportRow, strangersIn } from "./import-appointments.server";
import { referralIdsOf } from "~db/connection.server";

type OnImport = ExpressionBuilder<Database, "appointment_import">;

const { number, sixDigitsOrCpr, choice } = filterValue;

const importLog = defineList({
  ...importLogView,
  rules: {
    visitNumber: { schema: number, where: (eb: OnImport, wanted: number) => eb("referral_id", "=", wanted) },
    cpr: {
      schema: sixDigitsOrCpr,
      where: (eb: OnImport, cpr: string, { secrets }) =>
        cpr.length === 6
          ? eb("cpr6", "=", cpr)
          : eb.and([eb("cpr6", "=", cpr.slice(0, 6)), eb("cpr_hash", "in", secrets.lookups("cpr", cpr))]),
    },
    ...onDays("import_date"),
    status: { schema: choice(importStatuses), where: (eb: OnImport, status: number) => eb("status", "=", status) },
    externalCode: { schema: text(40), where: (eb: OnImport, code: string) => eb("external_code", "=", code) },
  },
  sortBy: { 1: "appointment_import.import_date" },
  idColumn: "appointment_import.id",
  scope: (db) => db.selectFrom("appointment_import").where("import_date", "is not", null),
  select: (rows) =>
    rows.select([
      "appointment_import.id",
      "appointment_import.row_key",
      "appointment_import.values_encrypted",
      "appointment_import.file_id",
      "appointment_import.referral_id",
      "appointment_import.operation_date",
      "appointment_import.operation_time",
      "appointment_import.external_code",
      "appointment_import.status",
      "appointment_import.note",
      "appointment_import.import_date",
    ]),
});

/** Imported rows (GET /Appointments/logs). People whose rows have no referral are audited, too. */
export const { read: listImportLog, lookUp: filterImportLog } = defineListPage({
  list: importLog,
  view: importLogView,
  name: "listImportLog",
  permission: "appointments.import",
  async show({ portal, auditRead, auditStrangers }, { rows }) {
    auditRead(referralIdsOf(rows));
    auditStrangers(strangersIn(portal.secrets, rows));
    return {
      rows: rows.map((row) => {
        const values = openImportRow(portal.secrets, row);
        return {
          id: row.id,
          importedAt: row.import_date!,
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
