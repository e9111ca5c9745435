import fs from "node:fs/promises";
import type { Db } from "~db/connection.server";
import { Refusal } from "~/access/refusal";
import { countStagedBytes } from "./staged-upload-store.server";
import { unfinishedLimits } from "./partial-upload-store.server";

export const ROOM_LEFT_BYTES = 200 * 1024 * 1024;
/** Less would refuse the largest upload, which needs two copies. */
const NEARLY_FULL_BYTES = 2.5 * 1024 * 1024 * 1024;

export interface UploadRoom {
  check(bytes: number): void;
  /** Counts and checks arriving bytes, since a length may be missing. */
  take(bytes: number): void;
}

/** Free bytes on the local disk, where every upload arrives first. */
export async function freeBytesHere(dataDir: string): Promise<number> {
  const { bavail, bsize } = await fs.statfs(dataDir);
  return bavail * bsize;
}

export type DiskState = "ok" | "nearlyFull" | "full";

export async function readDiskState(dataDir: string): Promise<DiskState> {
  const free = await freeBytesHere(dataDir);
  if (free < ROOM_LEFT_BYTES) return "full";
  return free < NEARLY_FULL_BYTES ? "nearlyFull" : "ok";
}

/** A person's remaining upload quota in forms, limited by the disk. */
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
