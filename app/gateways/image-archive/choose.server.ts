import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createMessageFolder } from "../sending/embedded-letters.server";
import { NOT_CONFIGURED, STORED_LOCALLY } from "../sending/port";
import type { ImageArchiveGateway, ImageArchiveSettings, InstanceNames } from "./port";

/** Keeps DICOM files and their archive data (JSON) in a folder during a trial without an archive. */
function createEmbeddedArchive(folder: string, label: string): ImageArchiveGateway {
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

/** The configured archive; otherwise the folder image-archive under DATA_DIR outside production. */
export async function chooseImageArchive({
  imageArchive,
  dataDir,
  production,
}: {
  imageArchive: ImageArchiveSettings | null;
  dataDir: string;
  production: boolean;
}): Promise<ImageArchiveGateway> {
  if (imageArchive !== null) {
    const { createDimseArchive } = await import("./dimse.server");
    return createDimseArchive(imageArchive);
  }
  if (!production)
    return createEmbeddedArchive(
      path.join(dataDir, "image-archive"),
      "Prøve: billeder til arkivet lægges i mappen image-archive",
    );
  return {
    label: "Billedarkivet er ikke indstillet (IMAGE_ARCHIVE)",
    mode: "notConfigured",
    deduplicates: true,
    send: async () => ({ outcome: "notConfigured", detail: NOT_CONFIGURED, reason: "notConfigured" }),
  };
}
