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

/** All lines share one transaction, which must stay short. */
export const MAX_ROWS = 500;

export type LineOutcome = "new" | "there" | "wrong";

export interface PlannedLine {
  line: number;
  name: string;
  outcome: LineOutcome;
  errors: { column: string; text: string }[];
  isShownAgain: boolean;
}

export const PLAN_DAYS = 1;
