import type { Caller } from "~/access/caller";
import { change, execute, plainInput, read, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { workOrGiveUp } from "~/features/job-register/operations.server";
import { NOT_CONFIGURED } from "~/gateways/sending/port";
import type { Portal } from "~/portal.server";
import { markMissingObjects, placeEdiMessage } from "./place/place-message.server";
import { AlreadyTaken, receiveEdiFile } from "./receive/receive-file.server";
import { clearMessages, findDueMessages, clearFile, findFilesBefore } from "./store/edi-store.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import type { Tx } from "~db/connection.server";
import { deleteLooseObjects } from "./store/edi-object-store.server";
import { scheduleRunNow } from "~/features/job-register/job-store.server";

/** 30 MB of attachment are 40 MB in Base64, plus the letter. */
const MAX_BYTES = 64 * 1024 * 1024;

const MAX_PER_RUN = 50;
const MAX_ROUNDS = 20;

export const IMPORT_STARTED = "Importen kan tage et par minutter.";

/**
 * 'EDI import' (POST /Admin/run-import-edi-visits): schedules the job now. Throws `conflict` without an inbox or a
 * worker.
 */
export const runEdiImport = change({
  name: "runEdiImport",
  permission: "edi.manage",
  async run({ tx, now, portal, auditChange }) {
    if (portal.ediInbox === null)
      throw new Refusal("conflict", { text: `${NOT_CONFIGURED}: portalen har ingen EDI-mappe at læse fra.` });
    if (!(await scheduleRunNow(tx, "importEdi", now)))
      throw new Refusal("conflict", { text: "Importen kan ikke begynde: baggrundsprocessen kører ikke på serveren." });
    auditChange([], "EDI import");
    return succeeded(IMPORT_STARTED);
  },
});

/** Received messages to be placed now, oldest first, limited per run of the job. */
export const readDueEdi = read({
  name: "edi.readDue",
  permission: "system",
  async run({ db, now }) {
    return { ids: await findDueMessages(db, now, MAX_PER_RUN) };
  },
});

/** Job step: receives the folder's files and places every message. One that fails does not stop the others. */
export async function importEdi(portal: Portal, caller: Caller): Promise<void> {
  try {
    await receiveFiles(portal, caller);
  } finally {
    await placeMessages(portal, caller);
    await execute(portal, caller, markMissingObjects);
  }
}

async function receiveFiles(portal: Portal, caller: Caller): Promise<void> {
  await portal.ediInbox?.takeEach(async (file) => {
    const { name, sizeBytes } = file;
    const trouble = file.trouble ?? (sizeBytes > MAX_BYTES ? "tooBig" : null);
    try {
      const bytes = trouble === null ? await file.read() : null;
      await execute(portal, caller, receiveEdiFile, plainInput({ name, sizeBytes, bytes, trouble }));
    } catch (error) {
      if (!(error instanceof AlreadyTaken)) throw error;
    }
    return trouble === null ? "done" : "aside";
  }, portal.clock.now());
}

async function placeMessages(portal: Portal, caller: Caller): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { ids } = await execute(portal, caller, readDueEdi);
    if (ids.length === 0) return;
    for (const messageId of ids) {
      const place = (more = {}) => execute(portal, caller, placeEdiMessage, plainInput({ messageId, ...more }));
      await workOrGiveUp(portal.log, { what: "placing an EDI message", messageId }, place, () =>
        place({ isUnexpected: true }),
      );
    }
  }
}

/**
 * Removes old files and message contents. Rows stay, so that repeated letters are recognised. Files that something
 * waits for stay.
 */
export async function removeEdi(tx: Tx, before: Date): Promise<void> {
  for (const { id, storedFileId } of await findFilesBefore(tx, before)) {
    const loose: number[] = [];
    for (const messageId of await clearMessages(tx, id)) loose.push(...(await deleteLooseObjects(tx, messageId)));
    await clearFile(tx, id);
    await discardStoredFiles(tx, [...loose, ...(storedFileId === null ? [] : [storedFileId])], before);
  }
}
