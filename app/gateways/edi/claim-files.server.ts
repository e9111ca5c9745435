import { asideName, claimable, claimedName, isLongName, newMark, shortName } from "./claimed-names.server";
import type { ClaimedFile, EdiInbox } from "./port";

/** What a folder must be able to do, on a disk or over SFTP. */
export interface FileFolder {
  list(): Promise<{ name: string; sizeBytes: number; modifiedAt: number }[]>;
  /** False where it is not there any more. */
  rename(from: string, to: string): Promise<boolean>;
  exists(name: string): Promise<boolean>;
  read(name: string): Promise<Buffer>;
  remove(name: string): Promise<void>;
}

/** By then a writer that does not rename has finished: ten seconds, and the minute by which its server's clock may be off. */
const QUIET_MS = 70_000;
/** A run takes so many at most; the job comes again. */
const MAX_PER_RUN = 500;
/** So often a machine may die over a file before the file is put aside unread. */
const MAX_DEATHS = 2;
/** After so many errors in one run it is not the files: the folder or the database is away. */
const MAX_ERRORS = 10;

/** The file was still being written when it was claimed. */
class StillGrowing extends Error {}

/** Claims and shows what lies in a folder, the oldest first (`EdiInbox.takeEach`). An error over one file does not keep back the others. */
export async function claimFiles(
  folder: FileFolder,
  visit: Parameters<EdiInbox["takeEach"]>[0],
  now: Date,
): Promise<void> {
  const found = (await folder.list())
    .flatMap((file) => {
      const free = claimable(file.name, now);
      return free === null || Math.abs(Date.now() - file.modifiedAt) < QUIET_MS ? [] : [{ ...file, ...free }];
    })
    .toSorted((one, other) => one.modifiedAt - other.modifiedAt)
    .slice(0, MAX_PER_RUN);
  const errors: unknown[] = [];
  for (const file of found) {
    if (errors.length >= MAX_ERRORS) break;
    await claimFile(folder, file, visit, now).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

interface FoundFile {
  name: string;
  sizeBytes: number;
  original: string;
  deaths: number;
}

async function claimFile(
  folder: FileFolder,
  { name, sizeBytes, original, deaths }: FoundFile,
  visit: Parameters<EdiInbox["takeEach"]>[0],
  now: Date,
): Promise<void> {
  const short = shortName(original);
  const mark = newMark();
  const claimed = claimedName(short, mark, now, deaths + 1);
  // Of two machines one renames it; the other finds it gone.
  if (!(await folder.rename(name, claimed))) return;
  const read = async () => {
    const bytes = await folder.read(claimed);
    if (bytes.length !== sizeBytes) throw new StillGrowing();
    return bytes;
  };
  const trouble = isLongName(original) ? "longName" : deaths >= MAX_DEATHS ? "deadly" : null;
  try {
    const file: ClaimedFile = { name: original, sizeBytes, trouble, read };
    if ((await visit(file)) === "done") await folder.remove(claimed);
    else await folder.rename(claimed, asideName(short, mark, now));
  } catch (error) {
    const isGrowing = error instanceof StillGrowing;
    if (isGrowing && !(await folder.exists(original))) return void (await folder.rename(claimed, original));
    // The machine lives: what went wrong is not counted against the file.
    await folder.rename(claimed, claimedName(short, mark, now, deaths)).catch(() => false);
    if (!isGrowing) throw error;
  }
}
