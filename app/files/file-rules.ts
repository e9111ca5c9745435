import { pictureExtensions, type PictureExtension } from "./pictures";

export type FileKind =
  "radiograph" | "journal" | "approval" | "attachment" | "appointments" | "bill" | "letter" | "logo" | "directory";

const journalExtensions = ["pdf", "doc", "docx", "rtf", "tiff", "tif", "xml", "xls", "xlsx", "csv", "zip"] as const;

export type KnownExtension = PictureExtension | (typeof journalExtensions)[number] | "dcm";

export type RadiographType = 0 | 1 | 2 | 3 | 4;

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

export const pictureTypes = radiographTypes.filter(({ extensions }) => extensions === pictureExtensions);

export const radiographTypeLabel = (value: number | null) =>
  radiographTypes.find((type) => type.value === value)?.label ?? "–";

export const DICOM_MIME = "application/dicom";

const MEGABYTE = 1024 * 1024;

/** Maximum of a referral: two CBCT scans with room to spare. Every page of a referral reads them all. */
export const MAX_RADIOGRAPHS = 2000;

/** One row per file field. `maxBytes` per file; `maxFiles` per submission, which may be repeated. */
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
  // 'Andre filer' of a message: record copies and pictures.
  attachment: {
    label: "Andre filer",
    extensions: [...journalExtensions, ...pictureExtensions],
    maxBytes: 100 * MEGABYTE,
    maxSizeText: "100 MB",
    maxFiles: 20,
  },
  appointments: {
    label: "Patienttider",
    extensions: ["csv"],
    maxBytes: 10 * MEGABYTE,
    maxSizeText: "10 MB",
    maxFiles: 1,
  },
  directory: {
    label: "Klinikker eller henvisere",
    extensions: ["csv"],
    maxBytes: MEGABYTE,
    maxSizeText: "1 MB",
    maxFiles: 1,
  },
  bill: {
    label: "Faktura eller overslag",
    extensions: ["pdf"],
    maxBytes: 10 * MEGABYTE,
    maxSizeText: "10 MB",
    maxFiles: 1,
  },
  letter: {
    label: "Udskrivningsbrev",
    extensions: ["pdf"],
    maxBytes: 25 * MEGABYTE,
    maxSizeText: "25 MB",
    maxFiles: 1,
  },
  // Small, because every letter contains it.
  logo: {
    label: "Logo",
    extensions: ["png", "jpg", "jpeg"],
    maxBytes: MEGABYTE,
    maxSizeText: "1 MB",
    maxFiles: 1,
  },
};

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
 * Why a file is refused. `mismatch`: content does not match the name; `pixels`: implausibly large; `locked`, `noPages`:
 * a PDF with a password or without pages; `archive`: a ZIP that cannot be opened;
 * `busy`: too many files of this person are read.
 */
export type RefusalReason =
  | "empty"
  | "busy"
  | "type"
  | "mismatch"
  | "tooLarge"
  | "damaged"
  | "tiff"
  | "pixels"
  | "locked"
  | "noPages"
  | "archive";

export function extensionOf(fileName: string): string | undefined {
  const dot = fileName.lastIndexOf(".");
  const extension = dot < 0 ? "" : fileName.slice(dot + 1).toLowerCase();
  return extension === "" || extension.length > 12 ? undefined : extension;
}

/** Types a file of this name may have: DICOM only .dcm, others only pictures. */
export function typesFor(fileName: string) {
  const extension = extensionOf(fileName) ?? "";
  return radiographTypes.filter(({ extensions }) => (extensions as readonly string[]).includes(extension));
}

/**
 * Type of an arriving file: content decides. A DICOM file is DICOM under any choice; a picture under DICOM gets the
 * first picture type and its person is asked (`isMistyped`).
 */
export function arrivedType(fileName: string, chosen: number): number {
  const types = typesFor(fileName);
  return types.length === 0 || types.some(({ value }) => value === chosen) ? chosen : types[0]!.value;
}

export const isMistyped = (fileName: string, chosen: number) =>
  typesFor(fileName).length > 1 && arrivedType(fileName, chosen) !== chosen;

/** Whether a field accepts the name; the server also checks content. */
export function takesFileName(kind: FileKind, fileName: string): boolean {
  const extension = extensionOf(fileName);
  return fileKinds[kind].extensions.some((allowed) => allowed === extension);
}

export const acceptAttribute = (kind: FileKind): string =>
  fileKinds[kind].extensions.map((extension) => `.${extension}`).join(",");

export const uploadOf = <K extends FileKind>(kind: K) => ({
  kind,
  maxBytes: fileKinds[kind].maxBytes,
  maxFiles: fileKinds[kind].maxFiles,
});
