import { showCount } from "~/text/numbers";
import { acceptAttribute, extensionOf } from "../file-rules";
import { guidanceText, LONG_NAME_TEXT, sendingText } from "../file-texts";

/**
 * Maximum files of a ZIP or folder added as images, and unpacked bytes of a ZIP; each file also obeys the rules of a
 * single file. A CBCT has up to about 800 slices.
 */
export const archiveLimits = { files: 1000, bytes: 1024 ** 3 };

/** Maximum unpacked bytes by ZIP per referral, and per person and day. */
export const unpackLimits = { referral: 5 * 1024 ** 3, personADay: 20 * 1024 ** 3 };

export const archiveTexts = {
  damaged: "Arkivet er beskadiget eller ikke gemt færdig, så det kan ikke åbnes. Pak det igen, og prøv én gang til.",
  encrypted: "Arkivet er beskyttet med en adgangskode. Pak filerne uden adgangskode, og prøv igen.",
  tooMany: `Der er flere end ${showCount(archiveLimits.files)} filer i arkivet. Del det i flere.`,
  tooBig: "Arkivet fylder mere end 1 GB, når det er pakket ud. Del det i flere.",
  referralFull:
    "Arkivet er ikke modtaget: filerne i en henvisning må højst fylde 5 GB, når de er pakket ud. Fjern filer, der ikke skal bruges, eller ring til os.",
  dayFull:
    "Arkivet er ikke modtaget: du kan højst vedhæfte 20 GB på et døgn, talt som de fylder, når de er pakket ud. Prøv igen i morgen, eller ring til os.",
  empty: "Der er ingen filer i arkivet.",
  noneTaken: "Ingen af filerne i arkivet kan modtages.",
} as const;

export const archivedFileTexts = {
  damaged: "Filen er beskadiget i arkivet. Pak den igen, og prøv én gang til.",
  encrypted: "Filen er beskyttet med en adgangskode.",
  longName: LONG_NAME_TEXT,
  link: "Det er en genvej og ikke en fil.",
  method: "Filen er pakket på en måde, som portalen ikke kan læse. Pak den som almindelig ZIP.",
  nestedInFolder: "Et arkiv i en mappe pakkes ikke ud. Vælg det for sig.",
  nested: "Et arkiv i et arkiv pakkes ikke ud. Pak det ud først, og vælg filerne i det.",
} as const;

export const folderTooBigText = `Der er flere end ${showCount(archiveLimits.files)} filer i mappen. Vælg en mindre mappe.`;

export const isArchive = (fileName: string) => extensionOf(fileName) === "zip";

export const holdsFiles = (fileName: string) =>
  /^(zip|rar|7z|tar|gz|tgz|bz2|xz|iso|cab)$/.test(extensionOf(fileName) ?? "");

export function isPassedOver(path: string): boolean {
  const parts = path.split(/[/\\]/);
  const name = parts.pop() ?? "";
  return (
    name === "" ||
    parts.includes("__MACOSX") ||
    /^(\._.*|\.DS_Store|Thumbs\.db|desktop\.ini|DICOMDIR|autorun\.inf)$/i.test(name)
  );
}

/** Name of a file from a ZIP or folder. DICOM programs omit the extension or use UID numbers. */
export function imageName(name: string): string {
  const extension = /\.([^.]{1,12})$/.exec(name)?.[1];
  return extension === undefined || /^\d+$/.test(extension) ? `${name}.dcm` : name;
}

export const acceptImages = `${acceptAttribute("radiograph")},.zip`;
const TAKES_ARCHIVES = "En ZIP-fil pakkes ud, og billederne i den vedhæftes.";
export const imagesGuidance = `${guidanceText("radiograph")} ${TAKES_ARCHIVES}`;
export const imagesSendingText = `${sendingText("radiograph")} ${TAKES_ARCHIVES}`;

const MAX_NAMED = 5;

export function groupRefusals(
  refused: readonly { fileName: string; text: string }[],
): { names: string; text: string; count: number }[] {
  const byText = new Map<string, string[]>();
  for (const { fileName, text } of refused) byText.set(text, [...(byText.get(text) ?? []), fileName]);
  return [...byText].map(([text, names]) => ({
    text,
    count: names.length,
    names:
      names.length > MAX_NAMED
        ? `${names.slice(0, MAX_NAMED).join(", ")} og ${names.length - MAX_NAMED} andre`
        : names.join(", "),
  }));
}

export const notTakenText = (count: number, of: string) =>
  `${count === 1 ? "1 fil" : `${count} filer`} i ${of} er ikke modtaget`;
