/** One referral as the overview's list shows it. */
export interface ListRow {
  id: number;
  version: number;
  cpr: string;
  name: string;
  age: number | null;
  /** dd.mm.yyyy */
  date: string;
  status: number;
  ediId: string | null;
  missesDentistId: boolean;
  isUrgent: boolean;
  hasRadiographs: boolean;
  /** Staff only: a press on the icon plans a new attempt. */
  hasExportFailed: boolean;
  hasNewMessage: boolean;
  isExported: boolean;
  isTest: boolean;
  /** Open, and no longer let through by the filter. */
  hasLeft: boolean;
}
