import { createFolderStore } from "./folder.server";
import type { FileStore } from "./port";
import type { S3Options } from "./s3.server";
import type { FileStoreSettings } from "./settings";

export async function chooseFileStore(settings: FileStoreSettings, options: S3Options): Promise<FileStore> {
  if ("folder" in settings) return createFolderStore(settings.folder);
  const { createS3Store } = await import("./s3.server");
  return createS3Store(settings, options);
}
