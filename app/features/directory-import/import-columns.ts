/** What is imported from a file: the columns by their titles, each with the field of the form by hand that it fills. */
export const importKinds = {
  klinikker: {
    label: "Klinikker",
    columns: [
      ["Titel", "name"],
      ["Adresse", "address"],
      ["Postnummer", "zip"],
      ["By", "city"],
      ["E-mail", "email"],
      ["Telefon", "phone"],
      ["Mobil", "mobilePhone"],
    ],
    required: ["Titel", "Adresse", "Postnummer", "By", "E-mail", "Telefon"],
  },
  henvisere: {
    label: "Henvisere",
    columns: [
      ["Fornavn", "firstName"],
      ["Efternavn", "lastName"],
      ["Brugernavn", "userName"],
      ["E-mail", "email"],
      ["Henviser id", "dentistExternalId"],
      ["EDI", "ediDentistId"],
      ["Telefon", "phone"],
      ["Mobil", "mobilePhone"],
      ["Tandlæge sekretær", "isSecretary"],
      ["Klinik", "clinicId"],
    ],
    required: ["Fornavn", "Efternavn", "Brugernavn", "E-mail", "Klinik"],
  },
} as const satisfies Record<string, { label: string; columns: [string, string][]; required: string[] }>;

export type ImportKind = keyof typeof importKinds;

export const importKindNames = Object.keys(importKinds) as [ImportKind, ...ImportKind[]];

/** All lines are written in one transaction, which must stay short; a longer list is imported in parts. */
export const MAX_ROWS = 500;

/** What becomes of a line: it is made, stands in the portal already, or says what is wrong. */
export type LineOutcome = "new" | "there" | "wrong";

export interface PlannedLine {
  line: number;
  /** Who or what the line is about. */
  name: string;
  outcome: LineOutcome;
  /** What is wrong, with its column, empty for the line as a whole; none for any other line. */
  errors: { column: string; text: string }[];
  /** It was judged again because the portal changed after the dry run. */
  isShownAgain: boolean;
}

/** How long a dry run may be imported; then it is deleted. */
export const PLAN_DAYS = 1;
