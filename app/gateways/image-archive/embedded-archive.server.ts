import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createMessageFolder } from "../sending/message-folder.server";
import { STORED_LOCALLY } from "../sending/port";
import type { ImageArchiveGateway, InstanceNames } from "./port";

/** Keeps DICOM files and their archive data (JSON) in a folder during a trial without an archive. */
export function createEmbeddedArchive(folder: string, label: string): ImageArchiveGateway {
  const names = createMessageFolder<InstanceNames & { key: string; fileName: string }>(folder);
  return {
    label,
    mode: "embedded",
    deduplicates: true,
    async send({ key, instance: { open, sopClass, sopInstance, study, series } }, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const fileName = `${key}.dcm`;
      await pipeline(await open(), createWriteStream(path.join(folder, fileName), { mode: 0o600 }), { signal });
      await names.store({ key, fileName, sopClass, sopInstance, study, series });
      return { outcome: "sent", detail: STORED_LOCALLY, reference: sopInstance };
    },
  };
}
