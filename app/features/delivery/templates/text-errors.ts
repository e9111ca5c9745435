import { parseCpr } from "~/text/cpr";
import type { ChannelName } from "../delivery-outcome";
import type { MessageText, TemplateKind } from "./message-templates";
import { knownIn, placeholdersOf, requiredPlaceholders } from "./template-kinds";
import {
  isAllowedIn,
  isOpenToOthers,
  unknownPlaceholders,
  usedPlaceholders,
  withoutPlaceholders,
} from "./placeholders";

/** Parts of words that reveal a treatment; forbidden in texts that others may read. */
const healthWords = [
  "anæstesi",
  "bedøv",
  "betændelse",
  "bideskinne",
  "biopsi",
  "cancer",
  "cyste",
  "diagnos",
  "ekstraktion",
  "fjernelse",
  "implantat",
  "infektion",
  "kræft",
  "kæbeled",
  "knogleopbygning",
  "narkose",
  "operati",
  "operere",
  "patologi",
  "resektion",
  "retention",
  "rodbehandling",
  "rodspids",
  "sedation",
  "sedering",
  "svulst",
  "sygdom",
  "tandudtrækning",
  "transplant",
  "tumor",
  "udtrækning",
  "visdomst",
] as const;

export function healthWordsIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}-]+/gu) ?? [];
  return [...new Set(words.filter((word) => healthWords.some((part) => word.toLowerCase().includes(part))))];
}

const named: Readonly<Record<ChannelName, string>> = {
  email: "en almindelig e-mail",
  sms: "en SMS",
  eboks: "e-Boks",
  print: "et brev",
  edi: "EDI",
  archive: "billedarkivet",
};

const written = (name: string) => `((${name}))`;

export function textErrors(
  { subject, body }: MessageText,
  channel: ChannelName,
  kind: TemplateKind,
): Record<keyof MessageText, string[]> {
  const used = usedPlaceholders(body);
  const absent = requiredPlaceholders(kind).filter((name) => !used.includes(name));
  return {
    subject: errorsOf(subject, channel, kind),
    body: [
      ...errorsOf(body, channel, kind),
      ...(absent.length > 0 && body !== "" ? [`Teksten skal indeholde ${absent.map(written).join(" og ")}.`] : []),
    ],
  };
}

function errorsOf(text: string, channel: ChannelName, kind: TemplateKind): string[] {
  const unknown = [...new Set(unknownPlaceholders(text, placeholdersOf(kind)))].map(written);
  const sensitive = usedPlaceholders(text).filter((name) => !isAllowedIn(name, channel));
  const words = isOpenToOthers(channel) ? healthWordsIn(withoutPlaceholders(text)) : [];
  return [
    ...(unknown.length > 0
      ? [`${unknown.join(", ")} kendes ikke. Du kan bruge ${knownIn(kind, channel).map(written).join(", ")}.`]
      : []),
    ...(sensitive.length > 0
      ? [
          `Dette hører ikke til i ${named[channel]}: ${sensitive.map(written).join(", ")}. Brug det i e-Boks og i brevet; her må kun stå fornavn, klinik og tid.`,
        ]
      : []),
    ...(words.length > 0
      ? [
          `Det hører ikke hjemme i ${named[channel]}: »${words.join("«, »")}«. Andre kan læse med, så skriv ikke, hvad patienten skal behandles for.`,
        ]
      : []),
    ...(holdsCpr(text) ? ["Her står et CPR-nummer. Teksten går til alle patienter: slet nummeret."] : []),
  ];
}

/** Errors of a free text to one patient: it must have no placeholders and reveal nothing to others. */
export function freeTextErrors(text: string, channel: ChannelName): string[] {
  const words = isOpenToOthers(channel) ? healthWordsIn(text) : [];
  return [
    ...(holdsBrackets(text) ? ["Skriv det, der skal stå: ((…)) udfyldes ikke her."] : []),
    ...(words.length > 0
      ? [
          `Det hører ikke hjemme i ${named[channel]}: »${words.join("«, »")}«. Andre kan læse med, så skriv ikke, hvad patienten skal behandles for.`,
        ]
      : []),
    ...(holdsCpr(text) ? ["Her står et CPR-nummer. Andre kan læse med: slet nummeret."] : []),
  ];
}

const holdsBrackets = (text: string) =>
  text.split("\n").some((line) => line.includes("((") && line.includes("))", line.indexOf("((") + 2));

/** Ten digits that begin with a date; Danish phone numbers have eight. */
const holdsCpr = (text: string) =>
  (text.match(/(?:^|[^\d+])\d{6}[-– ]?\d{4}(?!\d)/g) ?? []).some(
    (found) => parseCpr(found.replace(/\D/g, "")) !== null,
  );
