import fs from "node:fs/promises";
import type { Db } from "~db/connection.server";
import { Refusal } from "~/access/refusal";
import { countStagedBytes } from "./staged-upload-store.server";
import { unfinishedLimits } from "./partial-upload-store.server";

/** Room that must be left on the disk beside what is uploaded. */
export const ROOM_LEFT_BYTES = 200 * 1024 * 1024;
/** With less, the largest upload, of which two copies are made, is refused already. */
const NEARLY_FULL_BYTES = 2.5 * 1024 * 1024 * 1024;

export interface UploadRoom {
  /** Throws `tooManyUploads` when so much is more than a person may have waiting, and `storeFull` when the disk would be full. */
  check(bytes: number): void;
  /** Counts bytes that have come, and checks as they come: no length need have been told. */
  take(bytes: number): void;
}

/** What the disk of this machine still takes: whatever comes is checked here before the store has it. */
export async function freeBytesHere(dataDir: string): Promise<number> {
  const { bavail, bsize } = await fs.statfs(dataDir);
  return bavail * bsize;
}

/** `full`: files are refused. */
export type DiskState = "ok" | "nearlyFull" | "full";

export async function readDiskState(dataDir: string): Promise<DiskState> {
  const free = await freeBytesHere(dataDir);
  if (free < ROOM_LEFT_BYTES) return "full";
  return free < NEARLY_FULL_BYTES ? "nearlyFull" : "ok";
}

/** How much a person may still upload in a form: no more than may wait for forms of theirs together, nor than the disk holds. */
export async function openUploadRoom(
  { db, dataDir }: { db: Db; dataDir: string },
  personId: number | null,
): Promise<UploadRoom> {
  let ofPerson = unfinishedLimits.bytes - (personId === null ? 0 : await countStagedBytes(db, personId));
  let onDisk = (await freeBytesHere(dataDir)) - ROOM_LEFT_BYTES;
  const check = (bytes: number) => {
    if (bytes > ofPerson)
      throw new Refusal("tooManyUploads", {
        text: "Der venter for mange filer, som ikke er gemt endnu. Gem de formularer, de hører til, eller prøv igen i morgen.",
      });
    if (bytes > onDisk) throw new Refusal("storeFull");
  };
  return {
    check,
    take(bytes) {
      check(bytes);
      ofPerson -= bytes;
      onDisk -= bytes;
    },
  };
}
