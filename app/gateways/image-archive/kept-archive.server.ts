import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createKeptFolder } from "../sending/kept-folder.server";
import { KEPT_HERE } from "../sending/port";
import type { ImageArchiveGateway, InstanceNames } from "./port";

/** Without an archive a trial keeps its images here: the DICOM file that was to be stored, and beside it as JSON how the archive would know it. */
export function createKeptArchive(folder: string, label: string): ImageArchiveGateway {
  const names = createKeptFolder<InstanceNames & { key: string; fileName: string }>(folder);
  return {
    label,
    mode: "embedded",
    deduplicates: true,
    async send({ key, instance: { open, sopClass, sopInstance, study, series } }, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const fileName = `${key}.dcm`;
      await pipeline(await open(), createWriteStream(path.join(folder, fileName), { mode: 0o600 }), { signal });
      await names.keep({ key, fileName, sopClass, sopInstance, study, series });
      return { outcome: "sent", detail: KEPT_HERE, reference: sopInstance };
    },
  };
}
