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

type OnImport = ExpressionBuilder<Database, "appointmentImport">;

const { number, sixDigitsOrCpr, choice } = filterValue;

const importLog = defineList({
  ...importLogView,
  rules: {
    visitNumber: { schema: number, where: (eb: OnImport, wanted: number) => eb("referralId", "=", wanted) },
    cpr: {
      schema: sixDigitsOrCpr,
      where: (eb: OnImport, cpr: string, { secrets }) =>
        cpr.length === 6
          ? eb("cpr6", "=", cpr)
          : eb.and([eb("cpr6", "=", cpr.slice(0, 6)), eb("cprHash", "in", secrets.lookups("cpr", cpr))]),
    },
    ...onDays("importDate"),
    status: { schema: choice(importStatuses), where: (eb: OnImport, status: number) => eb("status", "=", status) },
    externalCode: { schema: text(40), where: (eb: OnImport, code: string) => eb("externalCode", "=", code) },
  },
  sortBy: { 1: "appointmentImport.importDate" },
  idColumn: "appointmentImport.id",
  scope: (db) => db.selectFrom("appointmentImport").where("importDate", "is not", null),
  select: (rows) =>
    rows.select([
      "appointmentImport.id",
      "appointmentImport.rowKey",
      "appointmentImport.valuesEncrypted",
      "appointmentImport.fileId",
      "appointmentImport.referralId",
      "appointmentImport.operationDate",
      "appointmentImport.operationTime",
      "appointmentImport.externalCode",
      "appointmentImport.status",
      "appointmentImport.note",
      "appointmentImport.importDate",
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
          importedAt: row.importDate!,
          cpr: values.cpr ?? (values.cprText || null),
          referralId: row.referralId,
          date: row.operationDate,
          time: row.operationTime,
          status: row.status ?? 0,
          note: row.note,
          code: row.externalCode,
        };
      }),
    };
  },
});
