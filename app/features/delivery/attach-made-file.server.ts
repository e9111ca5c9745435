import { z } from "zod";
import { change } from "~/access/operation.server";
import { insertStoredFile, newStoredFile } from "~/files/stored-file-store.server";
import { attachFile } from "./claim-store.server";

/** Notes the file that was made for a message just before it leaves. Answers `data.storedFileId`, or nothing when the message is leased by another worker by now. */
export const attachMadeFile = change({
  name: "outbox.attachFile",
  permission: "system",
  input: z.object({ outboxId: z.number().int(), owner: z.string(), file: newStoredFile }),
  async run({ tx, now }, { outboxId, owner, file }) {
    const storedFileId = await insertStoredFile(tx, file, now);
    return (await attachFile(tx, outboxId, owner, storedFileId)) ? { data: { storedFileId } } : {};
  },
});
