import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findAttachedFile } from "./message-store.server";

/** The file of a message; development only. Throws `notInScope` without one. */
export const downloadDevLetter = read({
  name: "downloadDevLetter",
  permission: "development",
  input: z.object({ outboxId: z.coerce.number().int().positive() }),
  async run({ db, portal }, { outboxId }) {
    const file = await findAttachedFile(db, outboxId);
    if (!file) throw new Refusal("notInScope");
    return {
      fileName: file.name,
      mime: "application/pdf",
      sizeBytes: file.sizeBytes,
      disposition: "inline" as const,
      open: () => portal.files.openRead(file.storageKey),
    };
  },
});
