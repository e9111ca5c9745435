import { sql } from "kysely";
import { type DbOrTx, rowCount, idsOf } from "~db/connection.server";
import { inScope, type ScopedReferralId } from "~/access/scope.server";
import { filterRules } from "~/features/referrals/list/filter-sql.server";
import { filters } from "~/features/referrals/list/filters";
import type { FilterContext } from "~/lists/define-list.server";
import { filterCondition } from "~/lists/rows.server";
import type { ExportRequest } from "./operations.server";

const columns = [
  "referral.id",
  "referral.externalId",
  "referral.rowKey",
  "referral.cprEncrypted",
  "referral.firstName",
  "referral.lastName",
  "referral.address",
  "referral.zip",
  "referral.city",
  "referral.phone",
  "referral.mobilePhone",
  "referral.email",
  "referral.externalDoctorId",
  "referral.referenceType",
  "referral.callType",
  "referral.paymentType",
  "referral.isHealthInsurance",
  "referral.healthInsuranceType",
  "referral.createDate",
  "referral.status",
  "referral.operationDate",
  "referral.desiredTreatment",
  "referral.diagnose",
  "referrer.firstName as referrerFirstName",
  "referrer.lastName as referrerLastName",
  "surgeon.firstName as surgeonFirstName",
  "surgeon.lastName as surgeonLastName",
  "clinic.name as clinicName",
  "treatmentType.name as treatmentType",
] as const;

function requestedReferrals(db: DbOrTx, request: ExportRequest, by: FilterContext) {
  const seen = inScope(db.selectFrom("referral").select("referral.id"), by.actor, "sent");
  return "ids" in request
    ? seen.where("referral.id", "in", request.ids)
    : seen.where(filterCondition({ filters, rules: filterRules }, request.filter, by));
}

export const countExport = (db: DbOrTx, request: ExportRequest, by: FilterContext): Promise<number> =>
  rowCount(requestedReferrals(db, request, by).clearSelect());

export async function findExportRows(
  db: DbOrTx,
  request: ExportRequest,
  by: FilterContext,
  after: { createDate: string; id: number } | null,
  limit: number,
) {
  const ids = requestedReferrals(db, request, by)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`referral.create_date <= ${after!.createDate} and (referral.create_date < ${after!.createDate} or referral.id < ${after!.id})`,
      ),
    )
    .orderBy("referral.createDate", "desc")
    .orderBy("referral.id", "desc")
    .limit(limit);
  const found = idsOf(await ids.execute());
  if (found.length === 0) return [];
  const rows = db
    .selectFrom("referral")
    .leftJoin("user as referrer", "referrer.id", "referral.referrerId")
    .leftJoin("user as surgeon", "surgeon.id", "referral.surgeonId")
    .leftJoin("clinic", "clinic.id", "referral.clinicId")
    .leftJoin("treatmentType", "treatmentType.id", "referral.treatmentTypeId")
    .select(columns)
    .where("referral.id", "in", found)
    .orderBy("referral.createDate", "desc")
    .orderBy("referral.id", "desc");
  return inScope(rows, by.actor, "sent").execute();
}

export type ExportRow = Awaited<ReturnType<typeof findExportRows>>[number];

/** Rows per statement; on SQLite other requests wait for one statement. */
const MARKED_AT_A_TIME = 1000;

/** Sets the overview's mark; not an edit of the referral. */
export async function markExported(db: DbOrTx, ids: readonly ScopedReferralId[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MARKED_AT_A_TIME)
    await db
      .updateTable("referral")
      .set({ exportedToCsv: true })
      .where("id", "in", ids.slice(at, at + MARKED_AT_A_TIME))
      .where("exportedToCsv", "=", false)
      .execute();
}
