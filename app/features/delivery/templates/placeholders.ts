import type { ChannelName } from "../delivery-outcome";

interface Placeholder {
  label: string;
  /** Text of the link when the placeholder is a paragraph of its own in a mail. */
  linkText?: string;
  example: string;
  /** Reveals health data, so it is not allowed in SMS and plain mail. */
  isSensitive?: true;
}

/** As long as a real link, so that SMS parts are counted correctly. */
function exampleLink(page: string, signs: number): string {
  return `https://www.eksempel.dk/${page}?tk=${"eksempel".repeat(6).slice(0, signs)}`;
}

export const placeholders = {
  fornavn: { label: "Patientens fornavn", example: "Nancy Ann" },
  dato: { label: "Datoen for behandlingen", example: "torsdag den 3. december 2026" },
  klokkeslæt: { label: "Klokkeslættet for behandlingen", example: "10.15" },
  klinik: { label: "Klinikkens navn", example: "Kæbekirurgisk Klinik" },
  telefon: { label: "Klinikkens telefonnummer", example: "70 00 00 00" },
  link: { label: "Linket til patientens filer", example: exampleLink("xr", 43) },
  dage: { label: "Så mange dage virker linket", example: "30" },
  svarlink: { label: "Linket, som patienten svarer på", example: exampleLink("aftale", 22) },
  afbud: {
    label: "Sætningen om, hvordan man svarer eller melder afbud",
    example: `Svar her, om du kommer: ${exampleLink("aftale", 22)}`,
  },
  følglink: { label: "Linket, hvor patienten følger sin sag", example: exampleLink("sag", 22) },
  svarfrist: { label: "Til hvornår tilbuddet om en tid gælder", example: "02.12.2026 kl. 15.00" },
  behandling: { label: "Behandlingstypen", example: "Operativ fjernelse af tand", isSensitive: true },
  anbefaling: {
    label: "Link til vejledning om behandlingen",
    example: "https://www.eksempel.dk/vejledning.pdf",
    isSensitive: true,
  },
  tolk: {
    label: "Sætningen om tolk; tom, når patienten ingen skal have",
    example: "Vi har noteret, at du har brug for tolk: arabisk.",
    isSensitive: true,
  },
  henviser: { label: "Henviserens navn", example: "Mette Kjærgaard" },
  henvisningsnr: { label: "Henvisningens nummer", example: "48151" },
  brevlink: {
    label: "Linket til udskrivningsbrevet",
    example: "https://www.eksempel.dk/management?vid=48151&mid=12&trmPdf=true&num=1",
    linkText: "Hent udskrivningsbrevet",
  },
  billedlink: {
    label: "Linket til brevet med røntgenbilleder; afsnittet udgår, når der ingen er",
    example: "https://www.eksempel.dk/management?vid=48151&mid=12&trmZip=true&num=1",
    linkText: "Hent brevet med røntgenbilleder (ZIP)",
  },
  status: { label: "Henvisningens nye status", example: "Visiteret" },
  statusforklaring: {
    label: "Hvad den nye status betyder for henviseren",
    example: "Henvisningen er vurderet. Patienten venter på indkaldelse.",
  },
  sagslink: {
    label: "Linket til henvisningen",
    example: "https://www.eksempel.dk/management/overview/48151",
    linkText: "Se henvisningen",
  },
  beskedlink: {
    label: "Linket til beskeden",
    example: "https://www.eksempel.dk/management/overview/48151#beskeder",
    linkText: "Læs beskeden",
  },
  tid: { label: "Den tid, som der er meldt afbud til", example: "3. december 2026 kl. 10.15" },
  nummerplade: { label: "Bilens nummerplade", example: "QX12345" },
  parkeringsdato: { label: "Dagen, der er booket parkering", example: "03.12.2026" },
  referencenr: { label: "Bookingens referencenummer", example: "K7M2QX4P" },
  antal: { label: "Antallet af kvitteringer", example: "200" },
  parkeringslink: {
    label: "Linket til bookingerne",
    example: "https://www.eksempel.dk/management/parking",
    linkText: "Se bookingerne",
  },
  alarm: { label: "Hvad der haster, med nummer", example: "Ny hastehenvisning nr. 48151 og 1 mere" },
  alarmer: {
    label: "Alt det, der haster, med numre",
    example: "Ny hastehenvisning nr. 48151, Ny hastehenvisning nr. 48152",
  },
  oversigtslink: {
    label: "Linket til oversigten",
    example: "https://www.eksempel.dk/management/overview",
    linkText: "Åbn oversigten",
  },
  portal: { label: "Portalens navn", example: "Henvisningsportalen" },
  navn: { label: "Modtagerens fornavn", example: "Mette" },
  brugernavn: { label: "Modtagerens brugernavn", example: "mette" },
  samletprofil: { label: "Brugernavnet på den profil, der er samlet i", example: "mette.k" },
  adgangslink: {
    label: "Linket, hvor adgangskoden vælges",
    example: "https://www.eksempel.dk/change-password?userName=mette&token=eksempel",
    linkText: "Vælg ny adgangskode",
  },
  timer: { label: "Så mange timer virker linket", example: "2" },
  ændring: { label: "Hvad der blev ændret", example: "Adgangskoden" },
  tidspunkt: { label: "Hvornår det blev ændret", example: "18.11.2026 kl. 09.12" },
  support: { label: "Supportens e-mail", example: "support@eksempel.dk" },
  supporttelefon: { label: "Supportens telefonnummer", example: "70 00 00 00" },
} as const satisfies Record<string, Placeholder>;

export type PlaceholderName = keyof typeof placeholders;

export const placeholderNames = Object.keys(placeholders) as PlaceholderName[];

const PLAIN: readonly ChannelName[] = ["email", "sms"];

export const isOpenToOthers = (channel: ChannelName) => PLAIN.includes(channel);

export function isAllowedIn(name: PlaceholderName, channel: ChannelName): boolean {
  const { isSensitive }: Placeholder = placeholders[name];
  return !(isSensitive && isOpenToOthers(channel));
}

// Blanks are trimmed afterwards: matching them here would backtrack quadratically.
const PATTERN = /\(\(([^()]*)\)\)/g;
const AFTER_BLANK_LINE = /\n\n\(\(([^()]*)\)\)/g;

const namesIn = (text: string) => (text.match(PATTERN) ?? []).map((whole) => whole.slice(2, -2).trim());

export function unknownPlaceholders(text: string, known: readonly string[]): string[] {
  return namesIn(text).filter((name) => !known.includes(name.toLowerCase()));
}

export function usedPlaceholders(text: string): PlaceholderName[] {
  return [...new Set(namesIn(text.toLowerCase()).filter(isKnown))];
}

export const withoutPlaceholders = (text: string) => text.replace(PATTERN, " ");

const isKnown = (name: string): name is PlaceholderName => (placeholderNames as string[]).includes(name);

export type PlaceholderValues = Readonly<Record<PlaceholderName, string | null>>;

export const exampleValues = Object.fromEntries(
  placeholderNames.map((name) => [name, placeholders[name].example]),
) as PlaceholderValues;

export const noValues = Object.fromEntries(placeholderNames.map((name) => [name, null])) as PlaceholderValues;

/** Replaces each placeholder once; a paragraph of one placeholder without a value is left out. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  const fill = (whole: string, name: string) => {
    const known = name.trim().toLowerCase();
    return isKnown(known) ? (values[known] ?? "") : whole;
  };
  return text
    .replace(AFTER_BLANK_LINE, (whole, name: string, at: number) => {
      const end = at + whole.length;
      const isLone = end === text.length || text.startsWith("\n\n", end);
      return isLone && fill(whole, name) === "" ? "" : whole;
    })
    .replace(PATTERN, fill);
}

export const missingValues = (text: string, values: PlaceholderValues): PlaceholderName[] =>
  usedPlaceholders(text).filter((name) => values[name] === null);

/** The link placeholder of a paragraph that holds nothing else; otherwise null. */
export function loneLink(paragraph: string): { name: PlaceholderName; linkText: string } | null {
  const name = /^\(\(([^()]*)\)\)$/.exec(paragraph.trim())?.[1]?.trim().toLowerCase() ?? "";
  if (!isKnown(name)) return null;
  const { linkText }: Placeholder = placeholders[name];
  return linkText === undefined ? null : { name, linkText };
}
