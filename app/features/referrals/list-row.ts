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
  /** Staff only: a press on the icon plans a new attempt (specification 1 §4). */
  hasExportFailed: boolean;
  hasNewMessage: boolean;
  isExported: boolean;
  isTest: boolean;
}

/** A letter for each mark that a row bears. */
const marks = { missesDentistId: "d", isUrgent: "u", hasRadiographs: "r", hasExportFailed: "x", hasNewMessage: "m", isExported: "e", isTest: "t" } as const;

/** The same without its names, as it travels beside the page: id, version, CPR, name, age, date, status, marks, EDI id. */
export type PackedRow = [number, number, string, string, number | null, string, number, string, string | null];

export function packRow(row: ListRow): PackedRow {
  const { id, version, cpr, name, age, date, status, ediId } = row;
  const letters = (Object.keys(marks) as (keyof typeof marks)[]).map((mark) => (row[mark] ? marks[mark] : "")).join("");
  return [id, version, cpr, name, age, date, status, letters, ediId];
}

export function unpackRow([id, version, cpr, name, age, date, status, letters, ediId]: PackedRow): ListRow {
  const has = (mark: keyof typeof marks) => letters.includes(marks[mark]);
  return {
    id,
    version,
    cpr,
    name,
    age,
    date,
    status,
    ediId,
    missesDentistId: has("missesDentistId"),
    isUrgent: has("isUrgent"),
    hasRadiographs: has("hasRadiographs"),
    hasExportFailed: has("hasExportFailed"),
    hasNewMessage: has("hasNewMessage"),
    isExported: has("isExported"),
    isTest: has("isTest"),
  };
}
