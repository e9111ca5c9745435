import { randomBytes } from "node:crypto";
import type { Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import { NO_REFERRAL, type PartialUpload } from "./partial-upload-store.server";

type UnpackedFile = Pick<PartialUpload, "radiographType" | "fileName" | "sizeBytes" | "refusal" | "referralFileId"> & {
  storageKey: string | null;
};

/** Stores each file of a ZIP as a finished upload, which its owner can retype or remove. */
export async function insertUnpacked(
  tx: Tx,
  archive: PartialUpload,
  files: readonly UnpackedFile[],
  now: Date,
): Promise<void> {
  if (files.length === 0) return;
  await tx
    .insertInto("partial_upload")
    .values(
      files.map((file) => ({
        id: file.storageKey ?? randomBytes(16).toString("hex"),
        owner_id: archive.ownerId,
        referral_id: archive.referralId ?? NO_REFERRAL,
        form_key: archive.formKey,
        awaited_at: null,
        radiograph_type: file.radiographType,
        file_name: file.fileName,
        size_bytes: file.sizeBytes,
        last_modified: 0,
        state: file.refusal === null ? "kept" : "refused",
        refusal: file.refusal?.slice(0, 500) ?? null,
        referral_file_id: file.referralFileId,
        created_at: toMoment(now),
        archive_id: archive.id,
      })),
    )
    .execute();
}
