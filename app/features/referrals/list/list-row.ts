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
