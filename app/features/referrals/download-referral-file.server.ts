import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { z } from "zod";
import type { Actor } from "~/access/actor";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { noPreviewTexts, type NoPreviewReason } from "~/features/images/preview-result";
import { noPreviewPicture } from "~/features/images/no-preview-picture";
import type { DbOrTx } from "~db/connection.server";
import { findFile, type ReferralFile } from "./referral-file-store.server";
import { findEditable, findReferral } from "./referral-store.server";

const oneFile = z.object({ referralId: z.coerce.number().int().positive(), fileId: z.coerce.number().int().positive() });

/** A browser may keep a file that never changes for its own session's length. */
const KEPT_SECONDS = 3600;
/** Pictures and PDFs open in the browser; anything else is only saved. */
const SHOWN = new Set(["image/jpeg", "image/png", "image/gif", "image/bmp", "application/pdf"]);

/** The file of a referral, or of a draft of one's own, that the actor may see. Infected files are served to nobody. */
async function fileInScope(db: DbOrTx, actor: Actor, referralId: number, fileId: number): Promise<ReferralFile> {
  await findReferral(db, actor, referralId).catch(() => findEditable(db, actor, referralId));
  const file = await findFile(db, referralId, fileId);
  if (!file || file.scanState === "infected") throw new Refusal("fileMissing");
  return file;
}

/** The original, byte for byte. Throws `notInScope` and `fileMissing`. */
export const downloadReferralFile = read({
  name: "downloadReferralFile",
  permission: "referral.read",
  input: oneFile,
  async run({ db, actor, portal, saw }, { referralId, fileId }) {
    const file = await fileInScope(db, actor, referralId, fileId);
    saw([referralId]);
    return {
      fileName: file.fileName,
      mime: file.mime,
      sizeBytes: file.sizeBytes,
      disposition: SHOWN.has(file.mime) ? ("inline" as const) : ("attachment" as const),
      open: () => portal.files.openRead(file.storageKey),
    };
  },
});

/** A picture's thumbnail (`thumb`) or screen-sized view; a drawn sheet that says why where there is none. */
export const downloadPreview = read({
  name: "downloadPreview",
  permission: "referral.read",
  input: oneFile.extend({ size: z.enum(["thumb", "view"]).catch("thumb") }),
  async run({ db, actor, portal, saw }, { referralId, fileId, size }) {
    const file = await fileInScope(db, actor, referralId, fileId);
    saw([referralId]);
    const sourcePath = portal.files.pathOf?.(file.storageKey);
    const preview = sourcePath ? await portal.previews.makePreview({ sourcePath, sha256: file.sha256, mime: file.mime, size }) : { failed: "unsupported" as const };
    if ("failed" in preview) return sheetFor(preview.failed);
    return {
      fileName: `${size}-${fileId}.jpg`,
      mime: preview.mime,
      disposition: "inline" as const,
      cacheSeconds: KEPT_SECONDS,
      open: () => createReadStream(preview.path),
    };
  },
});

function sheetFor(reason: NoPreviewReason) {
  return {
    fileName: "ingen-forhaandsvisning.svg",
    mime: "image/svg+xml",
    disposition: "inline" as const,
    open: () => Readable.from([noPreviewPicture(noPreviewTexts[reason])]),
  };
}
