import { asideName, claimable, claimedName } from "./claimed-names";
import type { ClaimedFile, EdiInbox } from "./port";

/** What a folder must be able to do, on a disk or over SFTP. */
export interface FileFolder {
  list(): Promise<{ name: string; sizeBytes: number; modifiedAt: number }[]>;
  /** False where it is not there any more. */
  rename(from: string, to: string): Promise<boolean>;
  read(name: string): Promise<Buffer>;
  remove(name: string): Promise<void>;
}

/** By then a writer that does not rename has finished: ten seconds, and the minute by which its server's clock may be off. */
const QUIET_MS = 70_000;
/** A run takes so many at most; the job comes again. */
const MAX_PER_RUN = 500;

/** The file was still being written when it was claimed. */
class StillGrowing extends Error {}

/** Claims and shows what lies in a folder, the oldest first (`EdiInbox.takeEach`). */
export async function claimFiles(
  folder: FileFolder,
  visit: Parameters<EdiInbox["takeEach"]>[0],
  now: Date,
): Promise<void> {
  const found = (await folder.list())
    .map((file) => ({ ...file, original: claimable(file.name, now) }))
    .filter(({ modifiedAt, original }) => original !== null && Math.abs(Date.now() - modifiedAt) >= QUIET_MS)
    .toSorted((one, other) => one.modifiedAt - other.modifiedAt)
    .slice(0, MAX_PER_RUN);
  for (const { name, sizeBytes, original } of found) {
    const claimed = claimedName(original!, now);
    // Of two machines one renames it; the other finds it gone.
    if (!(await folder.rename(name, claimed))) continue;
    const read = async () => {
      const bytes = await folder.read(claimed);
      if (bytes.length !== sizeBytes) throw new StillGrowing();
      return bytes;
    };
    try {
      const file: ClaimedFile = { name: original!, sizeBytes, read };
      if ((await visit(file)) === "done") await folder.remove(claimed);
      else await folder.rename(claimed, asideName(original!));
    } catch (error) {
      if (!(error instanceof StillGrowing)) throw error;
      await folder.rename(claimed, original!);
    }
  }
}
