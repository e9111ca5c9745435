import { asideName, claimable, claimedName, isLongName, newMark, shortName } from "./claimed-names.server";
import type { ClaimedFile, EdiInbox } from "./port";

export interface FileFolder {
  list(): Promise<{ name: string; sizeBytes: number; modifiedAt: number }[]>;
  /** False if it is gone. */
  rename(from: string, to: string): Promise<boolean>;
  exists(name: string): Promise<boolean>;
  read(name: string): Promise<Buffer>;
  remove(name: string): Promise<void>;
}

/** A writer without rename has finished by then: ten seconds plus a minute of clock difference. */
const QUIET_MS = 70_000;
/** Batch size; the job runs again for the rest. */
const MAX_PER_RUN = 500;
/** Deaths of a process over a file before it is put aside unread. */
const MAX_DEATHS = 2;
/** More errors in a run mean that the folder or database is down. */
const MAX_ERRORS = 10;

/** The file was still growing when claimed. */
class StillGrowing extends Error {}

/** Claims files, oldest first, and passes them on (`EdiInbox.takeEach`). An error in one does not stop the others. */
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
  // Only one process succeeds in renaming it.
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
    // The process survived, so the error does not count as a death.
    await folder.rename(claimed, claimedName(short, mark, now, deaths)).catch(() => false);
    if (!isGrowing) throw error;
  }
}
