/** What the clinic asks referrers for (docs/rules/material-requests.md). Pure: pages, mails and the API say the same. */

export interface MaterialKind {
  value: string;
  label: string;
  /** The type that its pictures get. */
  radiographType: number;
  /** It may also come as a document. */
  takesDocuments?: true;
}

/** The values are stored: they never change. */
export const materialKinds: readonly MaterialKind[] = [
  { value: "panorama", label: "Panoramaoptagelse", radiographType: 2 },
  { value: "intraoral", label: "Intraorale røntgenbilleder", radiographType: 0 },
  { value: "cbct", label: "CBCT", radiographType: 4 },
  { value: "photo", label: "Foto", radiographType: 1 },
  { value: "journal", label: "Journal", radiographType: 1, takesDocuments: true },
  { value: "medication", label: "Medicinliste", radiographType: 1, takesDocuments: true },
  { value: "other", label: "Andet", radiographType: 1, takesDocuments: true },
];

/** The kind that is described in free text. */
export const OTHER = "other";

/** What became of a line: it is open, files came, the referrer has not got it, or the clinic no longer asks. */
export type MaterialAnswer = "open" | "files" | "none" | "withdrawn";

export const kindOf = (value: string): MaterialKind =>
  materialKinds.find((kind) => kind.value === value) ?? materialKinds[materialKinds.length - 1]!;

/** 'CBCT', or what 'Andet' is. */
export const materialLabel = ({ kind, text }: { kind: string; text: string | null }) => text ?? kindOf(kind).label;

/** Characters of a line's words, and of those to the referrer. */
export const WORDS_LIMIT = 200;
export const NOTE_LIMIT = 1000;
