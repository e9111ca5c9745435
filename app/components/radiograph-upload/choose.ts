import { archivedFileTexts, isArchive } from "~/files/archive/archive-rules";
import { arrivedType, extensionOf, fileKinds, typesFor } from "~/files/file-rules";
import { chosenFileRefusal, refusalText } from "~/files/file-texts";
import type { ChosenFile } from "./chosen-files";
import { type Chosen, type QueuedUpload, randomKey } from "./queued-upload";
import type { UnfinishedUpload } from "./radiograph-lines";

/** Groups refused files by folder. */
export function skippedByFolder(uploads: readonly QueuedUpload[]) {
  const byFolder = new Map<string, QueuedUpload[]>();
  for (const upload of uploads) {
    if (upload.folder === null || upload.state !== "refused") continue;
    const root = upload.folder.split("/")[0]!;
    byFolder.set(root, [...(byFolder.get(root) ?? []), upload]);
  }
  return [...byFolder].map(([folder, ofFolder]) => ({
    folder,
    keys: ofFolder.map(({ key }) => key),
    files: ofFolder.map(({ name, text }) => ({ fileName: name, text: text ?? "" })),
  }));
}

export function choose(
  { file, name, folder }: ChosenFile,
  typeForAll: number,
  unfinished: readonly UnfinishedUpload[],
): Omit<Chosen, "materialLineId"> {
  const begun = unfinished.find(
    (each) => each.fileName === name && each.sizeBytes === file.size && each.lastModified === file.lastModified,
  );
  return {
    file,
    name,
    folder,
    group: null,
    type: begun?.type ?? arrivedType(name, typeForAll),
    uploadId: begun?.id ?? null,
    refusal: refusalOf({ name, size: file.size }, folder !== null),
  };
}

function refusalOf(file: { name: string; size: number }, isInFolder: boolean): string | null {
  if (!isArchive(file.name)) return chosenFileRefusal("radiograph", file);
  if (isInFolder) return archivedFileTexts.nestedInFolder;
  return file.size > fileKinds.radiograph.maxBytes ? refusalText("tooLarge", "radiograph") : null;
}

/** Whether 'Type for alle' applies to a file name; a ZIP passes it on to its pictures. */
export const mayHaveType = (name: string, type: number) =>
  isArchive(name) || typesFor(name).some(({ value }) => value === type);

/** Fewer DICOM files get one line each, e.g. a status of both jaws. */
const MIN_SLICES = 5;

/** DICOM files chosen together from one folder are most likely one CBCT and share a line. */
export function withGroups(chosen: readonly Chosen[]): Chosen[] {
  const batch = randomKey();
  const isSlice = ({ name, refusal }: Chosen) => refusal === null && extensionOf(name) === "dcm";
  const count = new Map<string | null, number>();
  for (const file of chosen.filter(isSlice)) count.set(file.folder, (count.get(file.folder) ?? 0) + 1);
  return chosen.map((file) =>
    isSlice(file) && count.get(file.folder)! >= MIN_SLICES ? { ...file, group: `${batch} ${file.folder}` } : file,
  );
}

/** Lines of the queue: an upload by itself, or those of a group together. */
export function linesOf(uploads: readonly QueuedUpload[]): QueuedUpload[][] {
  const lines = new Map<string, QueuedUpload[]>();
  for (const upload of uploads) {
    const line = upload.group !== null && upload.state !== "refused" ? upload.group : upload.key;
    lines.set(line, [...(lines.get(line) ?? []), upload]);
  }
  return [...lines.values()];
}
