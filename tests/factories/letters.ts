import { Readable } from "node:stream";
import type { Portal } from "~/portal.server";

export async function aLetterFile(portal: Portal, text = "%PDF-1.7 Kære Åse"): Promise<number> {
  const { insertId } = await portal.db
    .insertInto("stored_file")
    .values({
      storage_key: await portal.files.put(Readable.from([Buffer.from(text)])),
      file_name: "indkaldelse.pdf",
      mime: "application/pdf",
      size_bytes: Buffer.byteLength(text),
      sha256: "0".repeat(64),
      scan_state: "notScanned",
      dicom_cpr_hash: null,
      created_at: "2026-12-01T09:00:00.000Z",
      purge_after: null,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}
