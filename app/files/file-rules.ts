/**
 * Which files each field takes, how big they may be, and the Danish words said when one is refused.
 */

export type FileKind =
  "radiograph" | "journal" | "approval" | "attachment" | "appointments" | "bill" | "letter" | "logo" | "directory";

/** The extensions the portal knows, lower case and without the dot. */
export type KnownExtension =
  | "jpg"
  | "jpeg"
  | "gif"
  | "png"
  | "bmp"
  | "dcm"
  | "pdf"
  | "doc"
  | "docx"
  | "rtf"
  | "tiff"
  | "tif"
  | "xml"
  | "xls"
  | "xlsx"
  | "csv"
  | "zip";

const journalExtensions: readonly KnownExtension[] = [
  "pdf",
  "doc",
  "docx",
  "rtf",
  "tiff",
  "tif",
  "xml",
  "xls",
  "xlsx",
  "csv",
  "zip",
];
const pictureExtensions: readonly KnownExtension[] = ["jpg", "jpeg", "gif", "png", "bmp"];

export type RadiographType = 0 | 1 | 2 | 3 | 4;

/** Types of X-ray and photo files ("File types"); each takes its own extensions. */
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

/** Those that pictures have. */
export const pictureTypes = radiographTypes.filter(({ extensions }) => extensions === pictureExtensions);

export const radiographTypeLabel = (value: number | null) =>
  radiographTypes.find((type) => type.value === value)?.label ?? "–";

export const DICOM_MIME = "application/dicom";

const MEGABYTE = 1024 * 1024;

/** One row per field that takes files. `maxBytes` is per file, in bytes; `maxFiles` of one sending of a form, which may be sent again with more. */
export const fileKinds: Readonly<
  Record<
    FileKind,
    { label: string; extensions: readonly KnownExtension[]; maxBytes: number; maxSizeText: string; maxFiles: number }
  >
> = {
  radiograph: {
    label: "Røntgenbilleder",
    extensions: [...pictureExtensions, "dcm"],
    maxBytes: 1024 * MEGABYTE,
    maxSizeText: "1 GB",
    maxFiles: 40,
  },
  journal: {
    label: "Journalkopi",
    extensions: journalExtensions,
    maxBytes: 100 * MEGABYTE,
    maxSizeText: "100 MB",
    maxFiles: 40,
  },
  approval: {
    label: "Behandlingsgodkendelse",
    extensions: ["pdf", "doc", "docx"],
    maxBytes: 25 * MEGABYTE,
    maxSizeText: "25 MB",
    maxFiles: 1,
  },
  // 'Andre filer' of a message: what a journal copy may be, and pictures.
  attachment: {
    label: "Andre filer",
    extensions: [...journalExtensions, ...pictureExtensions],
    maxBytes: 100 * MEGABYTE,
    maxSizeText: "100 MB",
    maxFiles: 20,
  },
  // The daily file of patients' times; read and thrown away.
  appointments: {
    label: "Patienttider",
    extensions: ["csv"],
    maxBytes: 10 * MEGABYTE,
    maxSizeText: "10 MB",
    maxFiles: 1,
  },
  // Clinics or referrers to import; read and thrown away.
  directory: {
    label: "Klinikker eller henvisere",
    extensions: ["csv"],
    maxBytes: MEGABYTE,
    maxSizeText: "1 MB",
    maxFiles: 1,
  },
  // An invoice or an offer to the patient; what e-Boks takes.
  bill: {
    label: "Faktura eller overslag",
    extensions: ["pdf"],
    maxBytes: 10 * MEGABYTE,
    maxSizeText: "10 MB",
    maxFiles: 1,
  },
  // A discharge letter; as big as what a practice's program prints.
  letter: {
    label: "Udskrivningsbrev",
    extensions: ["pdf"],
    maxBytes: 25 * MEGABYTE,
    maxSizeText: "25 MB",
    maxFiles: 1,
  },
  // On every letter: small, since each letter carries it.
  logo: {
    label: "Logo",
    extensions: ["png", "jpg", "jpeg"],
    maxBytes: MEGABYTE,
    maxSizeText: "1 MB",
    maxFiles: 1,
  },
};

/** Every field of a form that takes files. */
export const fileFields = [
  "approval",
  "journals",
  "radiographs",
  "attachments",
  "AppointmentFile",
  "bill",
  "letterPdf",
  "letterImages",
  "letterLogo",
  "DirectoryFile",
] as const;

/** For a file of the wrong type, a CSV among them. */
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

/** The types that a file of this name may have: DICOM takes only .dcm, the others only pictures. */
export function typesFor(fileName: string) {
  const extension = extensionOf(fileName) ?? "";
  return radiographTypes.filter(({ extensions }) => (extensions as readonly string[]).includes(extension));
}

/**
 * The type of a file that arrives under a chosen one: the type follows the content, whichever way the file comes. A DICOM file is one
 * under any choice. A picture under DICOM is taken as the first type of pictures, and its person is asked (`isMistyped`).
 */
export function arrivedType(fileName: string, chosen: number): number {
  const types = typesFor(fileName);
  return types.length === 0 || types.some(({ value }) => value === chosen) ? chosen : types[0]!.value;
}

/** Whether a picture came under a type that no picture has, so that its person must say which it is. */
export const isMistyped = (fileName: string, chosen: number) =>
  typesFor(fileName).length > 1 && arrivedType(fileName, chosen) !== chosen;

/** What is asked of such pictures. */
export function typeQuestionText(fileNames: readonly string[]): string {
  const isOne = fileNames.length === 1;
  return `${fileNames.join(", ")} er modtaget, men er ikke ${isOne ? "en DICOM-fil og står som" : "DICOM-filer og står som"} ${radiographTypes[0]!.label}. Ret billedtypen, hvis ${isOne ? "det" : "de"} er noget andet.`;
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
export function chosenFileRefusal(kind: FileKind, { name, size }: { name: string; size: number }): string | null {
  const extension = extensionOf(name);
  if (!takesFileName(kind, name))
    return refusalText(kind === "radiograph" && (extension === "tif" || extension === "tiff") ? "tiff" : "type", kind);
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

/** What an operation declares of a field that takes files of a kind. */
export const uploadOf = <K extends FileKind>(kind: K) => ({
  kind,
  maxBytes: fileKinds[kind].maxBytes,
  maxFiles: fileKinds[kind].maxFiles,
});

/** What is said beside a form's own field, whose files go with the form: how many at a time. */
export const sendingText = (kind: FileKind) =>
  `${guidanceText(kind)} Højst ${fileKinds[kind].maxFiles} filer ad gangen; send formularen, og vælg så resten.`;

/** What is said beside a field before anything is chosen: the types and the size. */
export function guidanceText(kind: FileKind, radiographType?: RadiographType): string {
  const guidance = `${allowedTypesText(kind, radiographType)} Højst ${fileKinds[kind].maxSizeText} pr. fil.`;
  return kind === "radiograph" ? `${guidance} TIFF modtages ikke.` : guidance;
}

/**
 * The sentence for a file whose type the field does not take.
 * X-rays: that the type is not approved, followed by the types. Approval and journal: that the type is not approved,
 * what the field is for, that X-rays go on page 3, and the types truly allowed.
 */
export function wrongTypeText(kind: FileKind, radiographType?: RadiographType): string {
  const allowed = allowedTypesText(kind, radiographType);
  switch (kind) {
    case "radiograph":
    case "attachment":
    case "appointments":
    case "bill":
    case "letter":
    case "logo":
    case "directory":
      return `${WRONG_TYPE_TEXT} ${allowed}`;
    case "journal":
      return `Denne filtype er ikke godkendt. Feltet er kun til journalkopi; røntgenbilleder vedhæftes på side 3. ${allowed}`;
    case "approval":
      return `Denne filtype er ikke godkendt. Feltet er til behandlingsgodkendelse; røntgenbilleder vedhæftes på side 3. ${allowed}`;
  }
}

/** What a file of this name is meant to be. */
const meantTexts: Readonly<Record<KnownExtension, string>> = {
  jpg: "et JPEG-billede",
  jpeg: "et JPEG-billede",
  gif: "et GIF-billede",
  png: "et PNG-billede",
  bmp: "et BMP-billede",
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
      const ending = `navnet ender på .${details.extension}`;
      const found =
        details.found === undefined
          ? `Filen er ikke ${meantTexts[details.extension as KnownExtension]}, selv om ${ending}`
          : `Indholdet er ${details.found}, men ${ending}`;
      return `${WRONG_TYPE_TEXT} ${found}. Gem filen igen fra det program, den kommer fra.`;
    }
    case "damaged":
      return "Filen er beskadiget eller ikke gemt færdig, så den kan ikke åbnes. Eksportér den igen, og prøv én gang til.";
    case "pixels":
      return `Billedet er for stort til at kunne åbnes (${details.megapixels ?? "alt for mange"} megapixel). Gem det i en mindre opløsning.`;
  }
}
