import { archiveLimits, folderTooBigText, imageName, isPassedOver } from "~/files/archive/archive-rules";
import { sanitiseFileName } from "~/files/file-name";

export interface ChosenFile {
  file: File;
  name: string;
  /** Path of the folder including the chosen one; null for a single file. */
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
  return withinLimit(chosen);
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
  return withinLimit(await Promise.all(found.map(asChosen)));
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
  return chosen.sort((a, b) => byName(pathOf(a), pathOf(b)));
}

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

/** Checks for `DICM` after the 128-byte preamble. */
async function isDicom(file: File): Promise<boolean> {
  return (await new Response(file.slice(128, 132)).text().catch(() => "")) === "DICM";
}
