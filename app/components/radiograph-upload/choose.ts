import {
  archivedFileTexts,
  archiveLimits,
  folderTooBigText,
  imageName,
  isArchive,
  isPassedOver,
} from "~/files/archive/archive-rules";
import { arrivedType, extensionOf, fileKinds, typesFor } from "~/files/file-rules";
import { chosenFileRefusal, refusalText } from "~/files/file-texts";
import { type Chosen, type QueuedUpload, randomKey } from "./queued-upload";
import type { UnfinishedUpload } from "./radiograph-lines";
import { sanitiseFileName } from "~/files/file-name";

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
  type: { forAll: number } | { guess: number },
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
    type: begun?.type ?? ("guess" in type ? type.guess : arrivedType(name, type.forAll)),
    guess: "guess" in type && !begun && !isArchive(name) && typesFor(name).length > 1 ? type.guess : null,
    uploadId: begun?.id ?? null,
    refusal: refusalOf({ name, size: file.size }, folder !== null),
  };
}

function refusalOf(file: { name: string; size: number }, isInFolder: boolean): string | null {
  if (!isArchive(file.name)) return chosenFileRefusal("radiograph", file);
  if (isInFolder) return archivedFileTexts.nestedInFolder;
  return file.size > fileKinds.radiograph.maxBytes ? refusalText("tooLarge", "radiograph") : null;
}

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

export function linesOf(uploads: readonly QueuedUpload[]): QueuedUpload[][] {
  const lines = new Map<string, QueuedUpload[]>();
  for (const upload of uploads) {
    const line = upload.group !== null && upload.state !== "refused" ? upload.group : upload.key;
    lines.set(line, [...(lines.get(line) ?? []), upload]);
  }
  return [...lines.values()];
}

export interface ChosenFile {
  file: File;
  name: string;
  folder: string | null;
}

/** The folder has more files than may be sent at once; the message is Danish. */
export class FolderTooBig extends Error {}

/** Files as an input gives them; those of a folder say where in it they lie. */
export async function filesOfInput(files: readonly File[]): Promise<ChosenFile[]> {
  const chosen = await Promise.all(
    files
      .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
      .filter(({ path }) => !path.includes("/") || !isPassedOver(path))
      .map(asChosen),
  );
  return chosen.some(({ folder }) => folder !== null) ? inOrder(withinLimit(chosen)) : withinLimit(chosen);
}

/** Files of a drop, with folders expanded. Must be called during the drop event; the data is gone afterwards. */
export async function filesOfDrop(transfer: DataTransfer): Promise<ChosenFile[]> {
  const files = Array.from(transfer.files);
  const folders = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.()).filter(
    (entry): entry is FileSystemDirectoryEntry => entry?.isDirectory === true,
  );
  if (folders.length === 0) return filesOfInput(files);
  const names = folders.map(({ name }) => name);
  const found: { file: File; path: string }[] = files
    // Folders also appear as unreadable files.
    .filter(({ name }) => !names.includes(name))
    .map((file) => ({ file, path: file.name }));
  for (const folder of folders) await addFolder(folder, found);
  return inOrder(withinLimit(await Promise.all(found.map(asChosen))));
}

async function addFolder(folder: FileSystemDirectoryEntry, found: { file: File; path: string }[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // `readEntries` returns batches; an empty one is the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const entry of entries) {
      const path = entry.fullPath.replace(/^\//, "");
      if (entry.isDirectory) await addFolder(entry as FileSystemDirectoryEntry, found);
      else if (!isPassedOver(path))
        found.push({
          path,
          file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
        });
      if (found.length > archiveLimits.files) throw new FolderTooBig(folderTooBigText);
    }
  }
}

function withinLimit(chosen: ChosenFile[]): ChosenFile[] {
  if (chosen.length > archiveLimits.files) throw new FolderTooBig(folderTooBigText);
  return chosen;
}

const inOrder = (chosen: ChosenFile[]) => chosen.sort((a, b) => byName(pathOf(a), pathOf(b)));

const byName = new Intl.Collator("da", { numeric: true }).compare;
const pathOf = ({ folder, name }: ChosenFile) => `${folder ?? ""}/${name}`;

async function asChosen({ file, path }: { file: File; path: string }): Promise<ChosenFile> {
  const slash = path.lastIndexOf("/");
  const own = sanitiseFileName(file.name);
  const name = imageName(own);
  return {
    file,
    folder: slash < 0 ? null : path.slice(0, slash),
    name: name === own || !(await isDicom(file)) ? own : name,
  };
}

async function isDicom(file: File): Promise<boolean> {
  return (await new Response(file.slice(128, 132)).text().catch(() => "")) === "DICM";
}
