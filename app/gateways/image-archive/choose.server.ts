import path from "node:path";
import { NOT_CONFIGURED } from "../sending/port";
import { createEmbeddedArchive } from "./embedded-archive.server";
import type { ImageArchiveGateway, ImageArchiveSettings } from "./port";

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
    // Loaded only with an archive, since the library is large.
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
