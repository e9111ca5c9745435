import { showCount } from "~/text/numbers";
import {
  extensionOf,
  type FileKind,
  fileKinds,
  type KnownExtension,
  MAX_RADIOGRAPHS,
  radiographTypes,
  type RefusalReason,
  takesFileName,
} from "./file-rules";
import { eachPictureExtension } from "./pictures";

export const REFERRAL_FULL_TEXT = `Der er allerede ${showCount(MAX_RADIOGRAPHS)} billeder i henvisningen. Fjern billeder, der ikke skal bruges, eller ring til os.`;

export const WRONG_TYPE_TEXT = "Denne filtype er ikke godkendt i dette felt.";

export const LONG_NAME_TEXT = "Filens navn er for langt. Giv filen et kortere navn, og prøv igen.";

export const allowedTypesText = (kind: FileKind) => `Tilladte filtyper: ${fileKinds[kind].extensions.join(", ")}.`;

export const sendingText = (kind: FileKind) =>
  `${guidanceText(kind)} Højst ${fileKinds[kind].maxFiles} filer ad gangen; send formularen, og vælg så resten.`;

export function guidanceText(kind: FileKind): string {
  const guidance = `${allowedTypesText(kind)} Højst ${fileKinds[kind].maxSizeText} pr. fil.`;
  return kind === "radiograph" ? `${guidance} TIFF modtages ikke.` : guidance;
}

/**
 * Text for an unaccepted type. X-rays: not approved, with the types. Approval and record: not approved, purpose of the
 * field, X-rays belong on page 3, and the allowed types.
 */
export function wrongTypeText(kind: FileKind): string {
  const allowed = allowedTypesText(kind);
  const purpose = purposes[kind];
  return purpose === undefined
    ? `${WRONG_TYPE_TEXT} ${allowed}`
    : `Denne filtype er ikke godkendt. Feltet er ${purpose}; røntgenbilleder vedhæftes på side 3. ${allowed}`;
}

const purposes: Partial<Record<FileKind, string>> = {
  journal: "kun til journalkopi",
  approval: "til behandlingsgodkendelse",
};

const FROM_IPHONE =
  "iPhone gemmer billeder som HEIC: vælg »Mest kompatibel« under Indstillinger, Kamera, Formater, og tag billedet igen, eller send det til dig selv i en mail, hvor det bliver til JPG.";
const isHeic = (extension: string | undefined) => extension === "heic" || extension === "heif";

function nameAdvice(kind: FileKind, extension: string | undefined): string {
  if (isHeic(extension)) return ` ${FROM_IPHONE}`;
  return kind === "radiograph" && (extension === undefined || /^\d+$/.test(extension))
    ? " Er det DICOM-filer uden endelse, fx fra en cd, så pak hele mappen i en ZIP-fil, og vælg den."
    : "";
}

function howToSave(extension: string | undefined, found: string | undefined): string {
  if (/hei[cf]/.test(found ?? "")) return FROM_IPHONE;
  return extension === "xls" || extension === "xlsx"
    ? "Åbn filen i Excel, vælg Gem som og typen Excel-projektmappe (.xlsx), og vælg den nye fil."
    : "Gem filen igen fra det program, den kommer fra.";
}

const meantTexts: Readonly<Record<KnownExtension, string>> = {
  ...eachPictureExtension((_, { meant }) => meant),
  dcm: "en gyldig DICOM-fil",
  pdf: "en gyldig PDF-fil",
  doc: "et Word-dokument",
  docx: "et Word-dokument",
  rtf: "et RTF-dokument",
  tiff: "et TIFF-billede",
  tif: "et TIFF-billede",
  xml: "en gyldig XML-fil",
  xls: "et Excel-regneark",
  xlsx: "et Excel-regneark",
  csv: "en gyldig CSV-fil",
  zip: "en gyldig ZIP-fil",
};

export const TOO_MANY_READING_TEXT = "Portalen er i gang med at læse mange af dine filer. Vælg filen igen om et minut.";

/**
 * Danish text of a refusal. @param details.extension of the name, without dot; @param details.found what the content is
 * in Danish ("en pdf-fil"), if known; @param details.megapixels of a too large picture
 */
export function refusalText(
  reason: RefusalReason,
  kind: FileKind,
  details: { extension?: string; found?: string; megapixels?: number } = {},
): string {
  switch (reason) {
    case "type":
      return `${wrongTypeText(kind)}${nameAdvice(kind, details.extension)}`;
    case "tiff":
      return `${WRONG_TYPE_TEXT} TIFF-billeder kan ikke vises i en browser: gem billedet som jpg eller png, og prøv igen.`;
    case "empty":
      return "Filen er tom (0 byte). Kontrollér, at den er gemt færdig, og vælg den igen.";
    case "tooLarge":
      return `Filen er for stor. Den må højst fylde ${fileKinds[kind].maxSizeText}.`;
    case "mismatch": {
      const ending = `navnet ender på .${details.extension}`;
      const found =
        details.found === undefined
          ? `Filen er ikke ${meantTexts[details.extension as KnownExtension]}, selv om ${ending}`
          : `Indholdet er ${details.found}, men ${ending}`;
      return `${WRONG_TYPE_TEXT} ${found}. ${howToSave(details.extension, details.found)}`;
    }
    case "damaged":
      return "Filen er beskadiget eller ikke gemt færdig, så den kan ikke åbnes. Eksportér den igen, og prøv én gang til.";
    case "locked":
      return "PDF-filen er beskyttet med en adgangskode, så den kan ikke åbnes. Gem eller udskriv den som PDF uden adgangskode, og vælg den igen.";
    case "noPages":
      return "PDF-filen har ingen sider. Gem den igen fra det program, den kommer fra, og vælg den igen.";
    case "busy":
      return TOO_MANY_READING_TEXT;
    case "archive":
      return details.found ?? "";
    case "pixels":
      return `Billedet er for stort til at kunne åbnes (${details.megapixels ?? "alt for mange"} megapixel). Gem det i en mindre opløsning.`;
  }
}

/** Danish refusal of a chosen file by name and size; null if acceptable. The server also checks content. */
export function chosenFileRefusal(kind: FileKind, { name, size }: { name: string; size: number }): string | null {
  const extension = extensionOf(name);
  if (!takesFileName(kind, name))
    return refusalText(kind === "radiograph" && (extension === "tif" || extension === "tiff") ? "tiff" : "type", kind, {
      extension,
    });
  if (size === 0) return refusalText("empty", kind);
  return size > fileKinds[kind].maxBytes ? refusalText("tooLarge", kind) : null;
}

export function typeQuestionText(fileNames: readonly string[]): string {
  const isOne = fileNames.length === 1;
  return `${fileNames.join(", ")} er modtaget, men er ikke ${isOne ? "en DICOM-fil og står som" : "DICOM-filer og står som"} ${radiographTypes[0]!.label}. Ret billedtypen, hvis ${isOne ? "det" : "de"} er noget andet.`;
}
