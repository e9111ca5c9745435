/** Items a clinic may request (docs/rules/material-requests.md); used by pages, mails and API. */

export interface MaterialKind {
  value: string;
  label: string;
  radiographType: number;
  takesDocuments?: true;
}

/** Stored values; never change. */
export const materialKinds: readonly MaterialKind[] = [
  { value: "panorama", label: "Panoramaoptagelse", radiographType: 2 },
  { value: "intraoral", label: "Intraorale røntgenbilleder", radiographType: 0 },
  { value: "cbct", label: "CBCT", radiographType: 4 },
  { value: "photo", label: "Foto", radiographType: 1 },
  { value: "journal", label: "Journal", radiographType: 1, takesDocuments: true },
  { value: "medication", label: "Medicinliste", radiographType: 1, takesDocuments: true },
  { value: "other", label: "Andet", radiographType: 1, takesDocuments: true },
];

export const OTHER = "other";

export type MaterialAnswer = "open" | "files" | "none" | "withdrawn";

export const kindOf = (value: string): MaterialKind =>
  materialKinds.find((kind) => kind.value === value) ?? materialKinds[materialKinds.length - 1]!;

export const materialLabel = ({ kind, text }: { kind: string; text: string | null }) => text ?? kindOf(kind).label;

export const WORDS_LIMIT = 200;
export const NOTE_LIMIT = 1000;
