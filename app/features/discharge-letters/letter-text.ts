import { withLineFeeds } from "~/text/line-ends";

export interface WrittenLetter {
  diagnosis: string;
  treatment: string;
  medicine: string;
  followUp: string;
}

export const letterParts = [
  { name: "diagnosis", phrase: "diagnosisPhrase", label: "Diagnose", rows: 3 },
  { name: "treatment", phrase: "treatmentPhrase", label: "Udført behandling", rows: 5 },
  { name: "medicine", phrase: "medicinePhrase", label: "Medicin", rows: 3, isOptional: true },
  { name: "followUp", phrase: "followUpPhrase", label: "Opfølgning", rows: 3, isOptional: true },
] as const satisfies readonly {
  name: keyof WrittenLetter;
  phrase: string;
  label: string;
  rows: number;
  isOptional?: true;
}[];

/** A standard phrase of the settings: 'name = text', or a text that is its own name. */
export function parsePhrase(line: string): { name: string; text: string } {
  const [name, ...rest] = line.split(" = ");
  return { name: name!, text: rest.length === 0 ? line : rest.join(" = ") };
}

export const withPhrase = (text: string, phrase: string) => [text.trimEnd(), phrase].filter(Boolean).join("\n");

/** As `withPhrase`, but a cursor within the text gets the phrase there. `cursor`: where it is afterwards. */
export function withPhraseAt(text: string, phrase: string, at: number): { text: string; cursor: number } {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  // An untouched field has its cursor before the text; the phrase is then added at the end.
  const isWithin = before !== "" && after.trim() !== "";
  const start = isWithin ? `${before}${/\s$/.test(before) ? "" : " "}${phrase}` : withPhrase(text, phrase);
  const end = isWithin ? `${/^\s/.test(after) ? "" : " "}${after}` : "";
  return { text: start + end, cursor: start.length };
}

interface About {
  receiver: string;
  patientName: string;
  cpr: string | null;
  referralId: number;
  images: readonly string[];
  surgeon: string | null;
  clinicName: string;
}

export const letterSubject = (referralId: number) => `Udskrivningsbrev, henvisning nr. ${referralId}`;

/** The letter as paragraphs separated by blank lines; empty parts are left out. */
export function letterBody(letter: Partial<WrittenLetter>, about: About): string {
  const { receiver, patientName, cpr, images, surgeon, clinicName } = about;
  const parts = letterParts.flatMap(({ name, label }) => {
    const text = letter[name]?.trim();
    return text ? [`${label}\n${withLineFeeds(text).replace(/\n{2,}/g, "\n")}`] : [];
  });
  return [
    `Kære ${receiver}`,
    `Vedr. ${patientName}${cpr === null ? "" : `, CPR-nummer ${cpr}`}`,
    ...parts,
    ...(images.length > 0 ? [`Vedlagte billeder\n${images.join("\n")}`] : []),
    `Venlig hilsen\n${[surgeon, clinicName].filter(Boolean).join("\n")}`,
  ].join("\n\n");
}

export const MAX_SENDINGS = 2;

export const DECLINED_TEXT = "Patienten har frabedt sig brev til henviser";

export const NO_PDF_TEXT = "Pdf-filen mangler";
