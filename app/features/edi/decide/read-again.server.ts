import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { FileNotInStore } from "~/gateways/file-store/port";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { processReceipt } from "~/features/edi/receipts/process-receipt.server";
import { readRaw } from "~/features/edi/receive/raw-file.server";
import { readLetters } from "~/features/edi/receive/read-letters.server";
import { contentOf, insertFiles } from "~/features/edi/receive/receive-file.server";
import { findRawFile } from "~/features/edi/store/edi-file-store.server";
import { findEdiMessage, settleEdiMessage, updateContent } from "~/features/edi/store/edi-message-store.server";
import { deleteLooseObjects, deleteReferences } from "~/features/edi/store/edi-object-store.server";
import { runJobSoon } from "~/features/job-register/run-job-soon.server";
import { ediMessageInput, openMessage, flashOf } from "./open-message.server";

/** States whose file can be read again. */
export const READABLE_AGAIN = ["refused", "person", "dismissed"] as const;

/**
 * 'Indlæs igen': parses a message again from its stored file, e.g. after a location number was corrected in the
 * settings, and lets the import place it. Sends no second receipt. Throws `conflict` when the file is no longer stored.
 */
export const readEdiAgain = external({
  name: "readEdiAgain",
  permission: "edi.manage",
  input: ediMessageInput,
  async prepare({ db, portal }, { messageId }) {
    const message = await findEdiMessage(db, portal.secrets, messageId);
    const raw = message === null ? null : await findRawFile(db, portal.secrets, message.file_id);
    if (message === null || raw === null) throw gone();
    const bytes = await readRaw(portal.files, raw.storageKey, raw.content.key).catch((error: unknown) => {
      throw error instanceof FileNotInStore ? gone() : error;
    });
    const { position } = message;
    const { envelope, letters, objects } = await readLetters(portal, bytes, (each) => each === position);
    const letter = letters[position];
    if (letter === undefined) throw gone();
    return { envelope, letter, objects: objects[position] ?? [] };
  },
  async run(context, { messageId }, { envelope, letter, objects }) {
    const { tx, portal, now, auditChange } = context;
    await openMessage(context, messageId, READABLE_AGAIN);
    const isRefused = letter.kind === "refused";
    await discardStoredFiles(tx, await deleteLooseObjects(tx, messageId), now);
    await deleteReferences(tx, messageId);
    await updateContent(tx, portal.secrets, messageId, {
      kind: letter.kind,
      type: letter.type,
      letterId: letter.identifier,
      content: contentOf(envelope, letter),
    });
    await insertFiles(context, messageId, letter, objects);
    await settleEdiMessage(
      tx,
      messageId,
      isRefused
        ? { state: "refused", detail: letter.text }
        : letter.kind === "receipt"
          ? { state: "receipt", detail: null }
          : { state: "new", detail: null, nextAt: now },
      now,
    );
    if (letter.kind === "receipt") await processReceipt(context, messageId, letter);
    await runJobSoon(tx, "importEdi", now);
    auditChange([], `EDI message ${messageId}`);
    return { flash: flashOf(messageId, isRefused ? "kan stadig ikke læses." : "indlæses igen om få sekunder.") };
  },
});

const gone = () => new Refusal("conflict", { text: "Beskeden er ikke gemt længere, som den kom." });
