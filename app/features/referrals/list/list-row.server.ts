import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { holdOf, isRecalled, knownSince, visibleStatus } from "~/features/referrals/model/status";
import type { PageRow } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { ageOn } from "~/text/cpr";
import type { OverviewRow } from "./overview-list.server";

export const rowColumns = [
  "referral.id",
  "referral.version",
  "referral.status_version",
  "referral.external_id",
  "referral.external_doctor_id",
  "referral.row_key",
  "referral.cpr_encrypted",
  "referral.first_name",
  "referral.last_name",
  "referral.birth_date",
  "referral.create_date",
  "referral.status",
  "referral.status_since",
  "referral.recalled_at",
  "referral.hold_until",
  "referral.reference_type",
  "referral.has_radiographs",
  "referral.awaited_files",
  "referral.radiograph_export_status",
  "referral.has_unanswered_message",
  "referral.referrer_has_unread_messages",
  "referral.exported_to_csv",
  "referral.is_test",
] as const;

export interface ListRow {
  id: number;
  version: number;
  statusVersion: number;
  /** Null if unreadable. */
  cpr: string | null;
  firstName: string;
  lastName: string;
  age: number | null;
  /** ISO 8601 */
  createdAt: string;
  status: number;
  /** ISO 8601; absent for staff, whose list does not show it. */
  statusSince?: string | null;
  referenceType: number;
  ediId: string | null;
  /** Staff only: the clinic's id of the referrer. */
  externalDoctorId?: string | null;
  hasRadiographs: boolean;
  /** Uploads unfinished since sending; absent if none. */
  awaitedFiles?: number;
  /** Files refused or missing since sending; absent if none. */
  notReceived?: number;
  /** Requested items not received; absent if nothing is requested. */
  missing?: number;
  /** Staff only: requested material arrived, so it is sorted first in its status. */
  isRecalled?: true;
  /** Staff only: on hold until that day, `YYYY-MM-DD`; or returned from hold in the same status. */
  heldUntil?: string;
  isBackFromHold?: true;
  /** Staff only: archive state; absent if none was planned. */
  exportStatus?: number;
  hasNewMessage: boolean;
  isExported?: true;
  isTest?: true;
  /** The open referral no longer matches the filter. */
  hasLeft?: true;
}

/** The row as the reader may see it. */
export function showRow(
  { secrets }: Pick<Portal, "secrets">,
  person: Person,
  row: PageRow<OverviewRow>,
  { today, missing, notReceived }: { today: string; missing: number | undefined; notReceived: number | undefined },
): ListRow {
  const seesInternal = can(person, "referral.readInternal");
  return {
    id: row.id,
    version: row.version,
    statusVersion: row.status_version,
    cpr: sealedCpr.open(secrets, row),
    firstName: row.first_name,
    lastName: row.last_name,
    age: ageOn(row.birth_date, today),
    createdAt: row.create_date,
    status: visibleStatus(row.status, person),
    ...(can(person, "referral.setStatus") ? {} : { statusSince: knownSince(row, person) }),
    referenceType: row.reference_type,
    ediId: row.external_id,
    ...(seesInternal ? { externalDoctorId: row.external_doctor_id } : {}),
    hasRadiographs: row.has_radiographs === 1,
    ...(row.awaited_files > 0 ? { awaitedFiles: row.awaited_files } : {}),
    ...(notReceived === undefined ? {} : { notReceived }),
    ...(missing === undefined ? {} : { missing }),
    ...(seesInternal && isRecalled(row) ? { isRecalled: true } : {}),
    ...(seesInternal ? holdOf(row, today) : {}),
    ...(seesInternal && row.radiograph_export_status !== null ? { exportStatus: row.radiograph_export_status } : {}),
    // Unanswered messages for the clinic; the clinic's new messages for the referrer.
    hasNewMessage:
      (can(person, "message.answer") ? row.has_unanswered_message : row.referrer_has_unread_messages) === 1,
    ...(seesInternal && row.exported_to_csv === 1 ? { isExported: true } : {}),
    ...(seesInternal && row.is_test === 1 ? { isTest: true } : {}),
    ...(row.hasLeft ? { hasLeft: true } : {}),
  };
}
