import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { holdOf, isRecalled, knownSince, visibleStatus } from "~/features/referrals/model/status";
import type { PageRow } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { ageOn } from "~/text/cpr";
import { isoMoment } from "~/text/dates";
import type { OverviewRow } from "./overview-list.server";

/** What is read of each row of the overview. */
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

/** One referral as the overview's list and the API know it. */
export interface ListRow {
  id: number;
  version: number;
  statusVersion: number;
  /** Null where it cannot be read. */
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
  /** Staff only: the referrer's id at the clinic. */
  externalDoctorId?: string | null;
  hasRadiographs: boolean;
  /** Files that were on their way when it was sent, and still are; left out where there are none. */
  awaitedFiles?: number;
  /** Files it was sent without that were refused or never came, and have not come since; left out where there are none. */
  notReceived?: number;
  /** How many things the clinic has asked for and not got; left out where nothing is asked for. */
  missing?: number;
  /** Staff only: what was asked for has come, and it goes before the others of its status. */
  isRecalled?: true;
  /** Staff only: on hold until that day, `YYYY-MM-DD`; or back from it, in the same status. */
  heldUntil?: string;
  isBackFromHold?: true;
  /** Staff only: how its images stand in the archive; absent where none was planned. */
  exportStatus?: number;
  hasNewMessage: boolean;
  isExported?: true;
  isTest?: true;
  /** Open, and no longer let through by the filter. */
  hasLeft?: true;
}

/** The row as its reader may see it. */
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
    createdAt: isoMoment(row.create_date),
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
    // To the clinic what it has not answered; to the referrer what the clinic has written since.
    hasNewMessage:
      (can(person, "message.answer") ? row.has_unanswered_message : row.referrer_has_unread_messages) === 1,
    ...(seesInternal && row.exported_to_csv === 1 ? { isExported: true } : {}),
    ...(seesInternal && row.is_test === 1 ? { isTest: true } : {}),
    ...(row.hasLeft ? { hasLeft: true } : {}),
  };
}
