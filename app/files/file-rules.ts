/** Which files each field takes, and how big they may be; what is said of them stands in file-texts.ts. */

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

/**
 * Why a file was not taken. `mismatch`: the content is not what the name says. `pixels`: more picture than anyone has taken. `locked` and
 * `noPages`: a PDF with a password, or without a page. `archive`: a ZIP that cannot be opened.
 */
export type RefusalReason =
  "empty" | "type" | "mismatch" | "tooLarge" | "damaged" | "tiff" | "pixels" | "locked" | "noPages" | "archive";

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

/** Whether the field takes a file of this name, judged by the name alone; the server also reads the content. */
export function takesFileName(kind: FileKind, fileName: string, radiographType?: RadiographType): boolean {
  const extension = extensionOf(fileName);
  return allowedExtensions(kind, radiographType).some((allowed) => allowed === extension);
}

/** The value of an `accept` attribute, for example ".pdf,.doc,.docx". */
export function acceptAttribute(kind: FileKind, radiographType?: RadiographType): string {
  return allowedExtensions(kind, radiographType)
    .map((extension) => `.${extension}`)
    .join(",");
}

/** What an operation declares of a field that takes files of a kind. */
export const uploadOf = <K extends FileKind>(kind: K) => ({
  kind,
  maxBytes: fileKinds[kind].maxBytes,
  maxFiles: fileKinds[kind].maxFiles,
});
