import { z } from "zod";
import { change } from "~/access/operation.server";
import { insertStoredFile, newStoredFile } from "~/files/stored-file-store.server";
import { attachFile } from "./claim-store.server";

/**
 * Records the file made for a message just before it is sent. Returns `data.storedFileId`, or nothing if another worker
 * holds the lease.
 */
export const attachMadeFile = change({
  name: "outbox.attachFile",
  permission: "system",
  input: z.object({ outboxId: z.number().int(), owner: z.string(), file: newStoredFile }),
  async run({ tx, now }, { outboxId, owner, file }) {
    const storedFileId = await insertStoredFile(tx, file, now);
    return (await attachFile(tx, outboxId, owner, storedFileId)) ? { data: { storedFileId } } : {};
  },
});
