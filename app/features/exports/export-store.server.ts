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
  "referral.external_id",
  "referral.row_key",
  "referral.cpr_encrypted",
  "referral.first_name",
  "referral.last_name",
  "referral.address",
  "referral.zip",
  "referral.city",
  "referral.phone",
  "referral.mobile_phone",
  "referral.email",
  "referral.external_doctor_id",
  "referral.reference_type",
  "referral.call_type",
  "referral.payment_type",
  "referral.is_health_insurance",
  "referral.health_insurance_type",
  "referral.create_date",
  "referral.status",
  "referral.operation_date",
  "referral.desired_treatment",
  "referral.diagnose",
  "referrer.first_name as referrer_first_name",
  "referrer.last_name as referrer_last_name",
  "surgeon.first_name as surgeon_first_name",
  "surgeon.last_name as surgeon_last_name",
  "clinic.name as clinic_name",
  "treatment_type.name as treatment_type",
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
  after: { create_date: string; id: number } | null,
  limit: number,
) {
  const ids = requestedReferrals(db, request, by)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`referral.create_date <= ${after!.create_date} and (referral.create_date < ${after!.create_date} or referral.id < ${after!.id})`,
      ),
    )
    .orderBy("referral.create_date", "desc")
    .orderBy("referral.id", "desc")
    .limit(limit);
  const found = idsOf(await ids.execute());
  if (found.length === 0) return [];
  const rows = db
    .selectFrom("referral")
    .leftJoin("user as referrer", "referrer.id", "referral.referrer_id")
    .leftJoin("user as surgeon", "surgeon.id", "referral.surgeon_id")
    .leftJoin("clinic", "clinic.id", "referral.clinic_id")
    .leftJoin("treatment_type", "treatment_type.id", "referral.treatment_type_id")
    .select(columns)
    .where("referral.id", "in", found)
    .orderBy("referral.create_date", "desc")
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
      .set({ exported_to_csv: 1 })
      .where("id", "in", ids.slice(at, at + MARKED_AT_A_TIME))
      .where("exported_to_csv", "=", 0)
      .execute();
}
