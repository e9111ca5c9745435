import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { storeUpload } from "~/files/store-file.server";
import { intoNewFile } from "~/streams/new-file.server";
import type { Portal } from "~/portal.server";
import { sanitiseFileName } from "../file-name";
import { chosenFileRefusal, wrongTypeText } from "../file-texts";
import type { NewStoredFile } from "../stored-file-store.server";
import type { UploadRoom } from "../staging/upload-quota.server";
import { archivedFileTexts, archiveLimits, archiveTexts, imageName } from "./archive-rules";
import type { UnpackQuota } from "./unpack-quota-store.server";
import { type ArchivedFile, ArchiveRefused, DamagedInArchive, withArchive } from "./read-archive.server";

export interface Unpacked {
  accepted: NewStoredFile[];
  refused: { fileName: string; text: string }[];
  refusal: string | null;
}

type UnpackPlace = Pick<Portal, "files" | "readers" | "previews" | "scanner" | "secrets" | "config">;

interface UnpackRules {
  room: UploadRoom;
  quota: UnpackQuota;
  /** Whose turn reading takes. */
  requestedBy: string;
  maxBytes?: number;
}

/**
 * Takes a ZIP as its images: each file is unpacked, checked and stored like a single one, using only the last part of
 * its path. Bytes are counted while unpacking. On an error nothing is left; a killed process leaves stray files for
 * maintenance. Throws what storing and `room` throw.
 */
export async function unpackArchive(
  portal: UnpackPlace,
  zipPath: string,
  { room, quota, requestedBy, maxBytes = archiveLimits.bytes }: UnpackRules,
): Promise<Unpacked> {
  const unpacked: Unpacked = { accepted: [], refused: [], refusal: null };
  let bytes = 0;
  const count = (more: number) => {
    bytes += more;
    if (bytes > quota.bytes) throw new ArchiveRefused(quota.text);
    if (bytes > maxBytes) throw new ArchiveRefused(archiveTexts.tooBig);
    room.take(more);
  };
  try {
    await withArchive(portal.readers, zipPath, requestedBy, async (files) => {
      for (const file of files) {
        const result = await storeArchived(portal, file, { folder: path.dirname(zipPath), requestedBy, count });
        if ("accepted" in result) unpacked.accepted.push(result.accepted);
        else unpacked.refused.push(result);
      }
    });
  } catch (error) {
    for (const { storageKey } of unpacked.accepted) await portal.files.remove(storageKey);
    if (!(error instanceof ArchiveRefused)) throw error;
    return { accepted: [], refused: [], refusal: error.message };
  }
  return unpacked.accepted.length === 0 ? { ...unpacked, refusal: noneTakenText(unpacked.refused) } : unpacked;
}

function noneTakenText(refused: readonly { text: string }[]): string {
  const [reason, ...others] = new Set(refused.map(({ text }) => text));
  return reason === undefined || others.length > 0 ? archiveTexts.noneTaken : `${archiveTexts.noneTaken} ${reason}`;
}

async function storeArchived(
  portal: UnpackPlace,
  file: ArchivedFile,
  { folder, requestedBy, count }: { folder: string; requestedBy: string; count: (bytes: number) => void },
): Promise<{ accepted: NewStoredFile } | { fileName: string; text: string }> {
  const ownName = sanitiseFileName(file.path);
  const fileName = imageName(ownName);
  const refused = (text: string) => ({ fileName: ownName, text });
  const refusal = file.refusal ?? chosenFileRefusal("radiograph", { name: fileName, size: file.sizeBytes });
  if (refusal !== null) return refused(refusal);
  const unpackedPath = path.join(folder, randomUUID());
  try {
    await pipeline(async function* () {
      for await (const chunk of file.read()) {
        count(chunk.length);
        yield chunk;
      }
    }, intoNewFile(unpackedPath));
    const result = await storeUpload(portal, unpackedPath, fileName, "radiograph", { requestedBy });
    if ("accepted" in result) return result;
    return refused(fileName === ownName ? result.refused : wrongTypeText("radiograph"));
  } catch (error) {
    if (error instanceof DamagedInArchive) return refused(archivedFileTexts.damaged);
    throw error;
  } finally {
    await rm(unpackedPath, { force: true });
  }
}
