/**
 * Which files each field takes, how big they may be, and the Danish words said when one is refused.
 * Source: specification 2 §2.1 and §5 (Files), specification 1 §5, design/decisions.md (Files).
 */

export type FileKind = "radiograph" | "journal" | "approval" | "attachment" | "appointments";

/** The extensions the portal knows, lower case and without the dot. */
export type KnownExtension =
  | "jpg" | "jpeg" | "gif" | "png" | "bmp" | "dcm"
  | "pdf" | "doc" | "docx" | "rtf" | "tiff" | "tif" | "xml" | "xls" | "xlsx" | "csv" | "zip";

const journalExtensions: readonly KnownExtension[] = ["pdf", "doc", "docx", "rtf", "tiff", "tif", "xml", "xls", "xlsx", "csv", "zip"];
const pictureExtensions: readonly KnownExtension[] = ["jpg", "jpeg", "gif", "png", "bmp"];

export type RadiographType = 0 | 1 | 2 | 3 | 4;

/** Types of X-ray and photo files (specification 1 §3, "File types"); each takes its own extensions (2 §5). */
export const radiographTypes: readonly {
  value: RadiographType;
  label: string;
  extensions: readonly KnownExtension[];
}[] = [
  { value: 0, label: "Intraoralt", extensions: pictureExtensions },
  { value: 1, label: "Foto", extensions: pictureExtensions },
  { value: 2, label: "Panorama", extensions: pictureExtensions },
  { value: 3, label: "Cephalostat", extensions: pictureExtensions },
  { value: 4, label: "DICOM-file", extensions: ["dcm"] },
];

export const DICOM_MIME = "application/dicom";

const MEGABYTE = 1024 * 1024;

/** One row per field that takes files. `maxBytes` is per file, in bytes. */
export const fileKinds: Readonly<
  Record<FileKind, { label: string; extensions: readonly KnownExtension[]; maxBytes: number; maxSizeText: string }>
> = {
  radiograph: {
    label: "Røntgenbilleder",
    extensions: [...pictureExtensions, "dcm"],
    maxBytes: 1024 * MEGABYTE,
    maxSizeText: "1 GB",
  },
  journal: {
    label: "Journalkopi",
    extensions: journalExtensions,
    maxBytes: 100 * MEGABYTE,
    maxSizeText: "100 MB",
  },
  approval: {
    label: "Behandlingsgodkendelse",
    extensions: ["pdf", "doc", "docx"],
    maxBytes: 25 * MEGABYTE,
    maxSizeText: "25 MB",
  },
  // 'Andre filer' of a message: what a journal copy may be, and pictures.
  attachment: {
    label: "Andre filer",
    extensions: [...journalExtensions, ...pictureExtensions],
    maxBytes: 100 * MEGABYTE,
    maxSizeText: "100 MB",
  },
  // The daily file of patients' times; read and thrown away.
  appointments: { label: "Patienttider", extensions: ["csv"], maxBytes: 10 * MEGABYTE, maxSizeText: "10 MB" },
};

/** The specification's sentence for a file of the wrong type (2 §5 and §8); it is also the one for a wrong CSV upload. */
export const WRONG_TYPE_TEXT = "Denne filtype er ikke godkendt i dette felt.";

/** Why a file was not taken. `mismatch`: the content is not what the name says. `pixels`: more picture than anyone has taken. */
export type RefusalReason = "empty" | "type" | "mismatch" | "tooLarge" | "damaged" | "tiff" | "pixels";

/** The extension of a file name, lower case, without the dot; undefined when it has none. */
export function extensionOf(fileName: string): string | undefined {
  const dot = fileName.lastIndexOf(".");
  const extension = dot < 0 ? "" : fileName.slice(dot + 1).toLowerCase();
  return extension === "" || extension.length > 12 ? undefined : extension;
}

/** The extensions a field takes; for X-rays those of the chosen type, or of all types while none is chosen. */
export function allowedExtensions(kind: FileKind, radiographType?: RadiographType): readonly KnownExtension[] {
  if (kind !== "radiograph" || radiographType === undefined) return fileKinds[kind].extensions;
  return radiographTypes.find((type) => type.value === radiographType)?.extensions ?? [];
}

/** Whether the field takes a file of this name, judged by the name alone; the server also reads the content. */
export function takesFileName(kind: FileKind, fileName: string, radiographType?: RadiographType): boolean {
  const extension = extensionOf(fileName);
  return allowedExtensions(kind, radiographType).some((allowed) => allowed === extension);
}

/**
 * Why a file that was chosen cannot be taken, judged by its name and size alone, in Danish; null when it may be. The server judges
 * again, by the content.
 */
export function chosenFileRefusal(kind: FileKind, { name, size }: { name: string; size: number }, radiographType?: RadiographType): string | null {
  const extension = extensionOf(name);
  if (!takesFileName(kind, name)) return refusalText(kind === "radiograph" && (extension === "tif" || extension === "tiff") ? "tiff" : "type", kind);
  if (!takesFileName(kind, name, radiographType)) return `${WRONG_TYPE_TEXT} Vælg en anden billedtype, og tilføj filen igen.`;
  if (size === 0) return refusalText("empty", kind);
  return size > fileKinds[kind].maxBytes ? refusalText("tooLarge", kind) : null;
}

/** The value of an `accept` attribute, for example ".pdf,.doc,.docx". */
export function acceptAttribute(kind: FileKind, radiographType?: RadiographType): string {
  return allowedExtensions(kind, radiographType)
    .map((extension) => `.${extension}`)
    .join(",");
}

/** "Tilladte filtyper: pdf, doc, docx." for hints beside a field and at the end of a refusal. */
export function allowedTypesText(kind: FileKind, radiographType?: RadiographType): string {
  return `Tilladte filtyper: ${allowedExtensions(kind, radiographType).join(", ")}.`;
}

/** What is said beside a field before anything is chosen: the types and the size. TIFF: specification 2 §2.1. */
export function guidanceText(kind: FileKind, radiographType?: RadiographType): string {
  const guidance = `${allowedTypesText(kind, radiographType)} Højst ${fileKinds[kind].maxSizeText} pr. fil.`;
  return kind === "radiograph" ? `${guidance} TIFF modtages ikke.` : guidance;
}

/**
 * The sentence for a file whose type the field does not take.
 * X-rays: the specification's own words, followed by the types. Approval and journal: that the type is not approved,
 * what the field is for, that X-rays go on page 3 (specification 2 §5), and the types truly allowed (decisions.md).
 */
export function wrongTypeText(kind: FileKind, radiographType?: RadiographType): string {
  const allowed = allowedTypesText(kind, radiographType);
  switch (kind) {
    case "radiograph":
    case "attachment":
    case "appointments":
      return `${WRONG_TYPE_TEXT} ${allowed}`;
    case "journal":
      return `Denne filtype er ikke godkendt. Feltet er kun til journalkopi; røntgenbilleder vedhæftes på side 3. ${allowed}`;
    case "approval":
      return `Denne filtype er ikke godkendt. Feltet er til behandlingsgodkendelse; røntgenbilleder vedhæftes på side 3. ${allowed}`;
  }
}

/**
 * The Danish text for a refused file.
 * @param details.extension what the name ends with, without the dot; @param details.found what the content turned out
 * to be, in Danish ("en pdf-fil"), when that is known; @param details.megapixels of a picture that is too big.
 */
export function refusalText(
  reason: RefusalReason,
  kind: FileKind,
  details: { radiographType?: RadiographType; extension?: string; found?: string; megapixels?: number } = {},
): string {
  switch (reason) {
    case "type":
      return wrongTypeText(kind, details.radiographType);
    case "tiff":
      return `${WRONG_TYPE_TEXT} TIFF-billeder kan ikke vises i en browser: gem billedet som jpg eller png, og prøv igen.`;
    case "empty":
      return "Filen er tom (0 byte). Kontrollér, at den er gemt færdig, og vælg den igen.";
    case "tooLarge":
      return `Filen er for stor. Den må højst fylde ${fileKinds[kind].maxSizeText}.`;
    case "mismatch": {
      const named = details.extension === undefined ? "navnet siger noget andet" : `navnet ender på .${details.extension}`;
      const found = details.found === undefined ? "Indholdet passer ikke til navnet" : `Indholdet er ${details.found}`;
      return `${WRONG_TYPE_TEXT} ${found}, men ${named}. Gem filen igen fra det program, den kommer fra.`;
    }
    case "damaged":
      return "Filen er beskadiget eller ikke gemt færdig, så den kan ikke åbnes. Eksportér den igen, og prøv én gang til.";
    case "pixels":
      return `Billedet er for stort til at kunne åbnes (${details.megapixels ?? "alt for mange"} megapixel). Gem det i en mindre opløsning.`;
  }
}
