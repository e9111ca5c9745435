import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Preview, PreviewRequest } from "./preview.server";
import type { NoPreviewReason } from "./preview-result";

/** Part of cache file names; raise it when drawing changes. */
const DRAWN_AS = 3;

/** Previews on disk, keyed by the original's bytes. */
export function createPreviewCache(cacheDir: string) {
  let lastId = 0;
  const folderOf = (sha256: string) => join(cacheDir, sha256.slice(0, 2), sha256);
  const invalidate = (sha256: string) => rm(folderOf(sha256), { recursive: true, force: true });
  return {
    pathOf: (request: PreviewRequest) => join(folderOf(request.sha256), nameOf(request)),

    async find(path: string): Promise<Preview | undefined> {
      // Loaded with the first preview.
      const { default: sharp } = await import("sharp");
      try {
        const { width, height } = await sharp(path).metadata();
        return { path, mime: "image/jpeg", width, height };
      } catch {
        const reason = await readFile(failureBeside(path), "utf8").catch(() => undefined);
        return reason === undefined ? undefined : { failed: reason as NoPreviewReason };
      }
    },

    async reserve(path: string): Promise<string> {
      await mkdir(dirname(path), { recursive: true });
      return `${path}.${process.pid}-${++lastId}.tmp`;
    },

    store: (reserved: string, path: string) => rename(reserved, path),

    /** With a reason the same bytes are never tried again, whatever frame, tone or name. */
    async giveUp(reserved: string, path: string, reason: NoPreviewReason | null): Promise<void> {
      await rm(reserved, { force: true });
      if (reason !== null) await writeFile(failureBeside(path), reason);
    },

    async invalidate(sha256: string): Promise<void> {
      if (isSha256(sha256)) await invalidate(sha256);
    },

    async invalidateUnknown(findKnown: (hashes: string[]) => Promise<Set<string>>): Promise<void> {
      for (const prefix of await readdir(cacheDir).catch(() => [])) {
        const hashes = (await readdir(join(cacheDir, prefix)).catch(() => [])).filter(isSha256);
        if (hashes.length === 0) continue;
        const known = await findKnown(hashes);
        for (const sha256 of hashes) if (!known.has(sha256)) await invalidate(sha256);
      }
    },
  };
}

const failureBeside = (path: string) => join(dirname(path), `failed.${DRAWN_AS}`);

function nameOf({ size, frame, tone }: PreviewRequest): string {
  const ofFrame = frame === undefined ? "" : `-f${frame}`;
  const ofTone = tone === undefined ? "" : `-b${tone.brightness}c${tone.contrast}`;
  return `${size}${ofFrame}${ofTone}.${DRAWN_AS}.jpg`;
}

export const isSha256 = (value: string) => /^[0-9a-f]{64}$/.test(value);
