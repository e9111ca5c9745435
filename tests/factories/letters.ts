import { Readable } from "node:stream";
import type { Portal } from "~/portal.server";

export async function aLetterFile(portal: Portal, text = "%PDF-1.7 Kære Åse"): Promise<number> {
  const { insertId } = await portal.db
    .insertInto("storedFile")
    .values({
      storageKey: await portal.files.put(Readable.from([Buffer.from(text)])),
      fileName: "indkaldelse.pdf",
      mime: "application/pdf",
      sizeBytes: Buffer.byteLength(text),
      sha256: "0".repeat(64),
      scanState: "notScanned",
      dicomCprHash: null,
      createdAt: "2026-12-01T09:00:00.000Z",
      purgeAfter: null,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}
