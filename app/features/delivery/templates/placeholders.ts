import type { ChannelName } from "../delivery-outcome";

/** Who reads a message. */
export type Receiver = "patient" | "referrer";

interface Placeholder {
  /** What the editor calls it. */
  label: string;
  /** In whose messages it can stand, where not in the patient's alone. */
  receiver?: Receiver | "anybody";
  /** Of an invented patient, for the editor's preview. */
  example: string;
  /** It tells of health: only in what reaches the patient alone, never in SMS and plain mail. */
  isSensitive?: true;
}

/** As long as a real one, so that the parts of an SMS are counted right. */
function exampleLink(page: string, signs: number): string {
  return `https://www.eksempel.dk/${page}?tk=${"eksempel".repeat(6).slice(0, signs)}`;
}

/** What a text may hold in double round brackets, which a Danish keyboard has. */
export const placeholders = {
  fornavn: { label: "Patientens fornavn", example: "Nancy Ann" },
  dato: { label: "Datoen for behandlingen", example: "torsdag den 3. december 2026" },
  klokkeslæt: { label: "Klokkeslættet for behandlingen", example: "10.15" },
  klinik: { label: "Klinikkens navn", example: "Kæbekirurgisk Klinik", receiver: "anybody" },
  telefon: { label: "Klinikkens telefonnummer", example: "70 00 00 00", receiver: "anybody" },
  link: { label: "Linket til patientens filer", example: exampleLink("xr", 43) },
  dage: { label: "Så mange dage virker linket", example: "30" },
  svarlink: { label: "Linket, som patienten svarer på", example: exampleLink("aftale", 22) },
  afbud: {
    label: "Sætningen om, hvordan man svarer eller melder afbud",
    example: `Svar her, om du kommer: ${exampleLink("aftale", 22)}`,
  },
  svarfrist: { label: "Til hvornår tilbuddet om en tid gælder", example: "02.12.2026 kl. 15.00" },
  behandling: { label: "Behandlingstypen", example: "Operativ fjernelse af tand", isSensitive: true },
  anbefaling: {
    label: "Link til vejledning om behandlingen",
    example: "https://www.eksempel.dk/vejledning.pdf",
    isSensitive: true,
  },
  henviser: { label: "Henviserens navn", example: "Mette Kjærgaard", receiver: "referrer" },
  henvisningsnr: { label: "Henvisningens nummer", example: "48151", receiver: "referrer" },
  brevlink: {
    label: "Linket til udskrivningsbrevet",
    example: "https://www.eksempel.dk/management?vid=48151&mid=12&trmPdf=true&num=1",
    receiver: "referrer",
  },
  billedlink: {
    label: "Linket til brevet med røntgenbilleder; afsnittet udgår, når der ingen er",
    example: "https://www.eksempel.dk/management?vid=48151&mid=12&trmZip=true&num=1",
    receiver: "referrer",
  },
} as const satisfies Record<string, Placeholder>;

export type PlaceholderName = keyof typeof placeholders;

export const placeholderNames = Object.keys(placeholders) as PlaceholderName[];

/** Channels that others may read over somebody's shoulder, or on the way. */
const PLAIN: readonly ChannelName[] = ["email", "sms"];

export const isOpenToOthers = (channel: ChannelName) => PLAIN.includes(channel);

/** Whether a text in this channel may hold it. */
export function isAllowedIn(name: PlaceholderName, channel: ChannelName): boolean {
  const { isSensitive }: Placeholder = placeholders[name];
  return !(isSensitive && isOpenToOthers(channel));
}

/** The placeholders of messages to one who reads them: nothing of the patient stands in the referrer's. */
export function placeholdersFor(reader: Receiver): PlaceholderName[] {
  return placeholderNames.filter((name) => {
    const { receiver = "patient" }: Placeholder = placeholders[name];
    return receiver === "anybody" || receiver === reader;
  });
}

const PATTERN = /\(\(\s*([^()]*?)\s*\)\)/g;

/** What stands between double brackets. */
const namesIn = (text: string) => (text.match(PATTERN) ?? []).map((whole) => whole.slice(2, -2).trim());

/** The placeholders of a text that nobody knows, or that are none of this reader's, as they were written. */
export function unknownPlaceholders(text: string, reader: Receiver): string[] {
  const known: readonly string[] = placeholdersFor(reader);
  return namesIn(text).filter((name) => !known.includes(name.toLowerCase()));
}

export function usedPlaceholders(text: string): PlaceholderName[] {
  return [...new Set(namesIn(text.toLowerCase()).filter(isKnown))];
}

/** What somebody typed beside the placeholders. */
export const withoutPlaceholders = (text: string) => text.replace(PATTERN, " ");

const isKnown = (name: string): name is PlaceholderName => (placeholderNames as string[]).includes(name);

/** What stands in the place of each; null where there is nothing to put there. */
export type PlaceholderValues = Readonly<Record<PlaceholderName, string | null>>;

/** As an invented message has them. */
export const exampleValues = Object.fromEntries(
  placeholderNames.map((name) => [name, placeholders[name].example]),
) as PlaceholderValues;

/** Nothing for any: what a message has values for is put in their place. */
export const noValues = Object.fromEntries(placeholderNames.map((name) => [name, null])) as PlaceholderValues;

/** The text with its values. Each is put in once, as text: a value that looks like a placeholder stays what it is. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(PATTERN, (whole, name: string) => {
    const known = name.toLowerCase();
    return isKnown(known) ? (values[known] ?? "") : whole;
  });
}

/** The placeholders of a text that there is nothing to put into. */
export const missingValues = (text: string, values: PlaceholderValues): PlaceholderName[] =>
  usedPlaceholders(text).filter((name) => values[name] === null);
