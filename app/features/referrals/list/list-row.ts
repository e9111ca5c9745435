/** One referral as the overview's list and the API know it. */
export interface ListRow {
  id: number;
  version: number;
  /** Null where it cannot be read. */
  cpr: string | null;
  firstName: string;
  lastName: string;
  age: number | null;
  /** ISO 8601 */
  createdAt: string;
  status: number;
  /** ISO 8601; not told to staff, whose list has no room for it. */
  statusSince?: string | null;
  referenceType: number;
  ediId: string | null;
  /** Staff only: the referrer's id at the clinic. */
  externalDoctorId?: string | null;
  hasRadiographs: boolean;
  /** Files that were on their way when it was sent, and still are. */
  awaitedFiles: number;
  /** Staff only: a press on the icon plans a new attempt. */
  hasExportFailed: boolean;
  hasNewMessage: boolean;
  isExported: boolean;
  isTest: boolean;
  /** Open, and no longer let through by the filter. */
  hasLeft: boolean;
}
