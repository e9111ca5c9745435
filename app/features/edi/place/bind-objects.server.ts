import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sanitiseFileName } from "~/files/file-name";
import { insertVisitLogEntry } from "~/features/referrals/details/messaged-referral.server";
import { attachReceivedFiles } from "~/features/referrals/received/attach-received-files.server";
import { kindOf } from "~/features/edi/receive/store-objects.server";
import {
  bindObject,
  type findLettersNaming,
  findLooseObjects,
  type LooseObject,
} from "~/features/edi/store/edi-object-store.server";
import { renameStoredFile } from "~/files/stored-file-store.server";

/** Maximum length of a log line. */
export const LOG_LINE = 300;

type Naming = Awaited<ReturnType<typeof findLettersNaming>>;

/** Attaches files to a referral; the log says why a refused one is missing. */
export async function bindObjects(
  context: ChangeContext,
  referralId: ScopedReferralId,
  objects: readonly LooseObject[],
  naming: Naming,
): Promise<void> {
  const { tx, actor, now } = context;
  const received = [];
  for (const object of objects) {
    const named = naming.filter(({ object_id: id }) => id === object.object_id);
    await bindObject(
      tx,
      object.id,
      referralId,
      named.map(({ id }) => id),
    );
    const fileName = nameOf(object.file_name, named[0]?.description ?? null);
    if (object.stored_file_id === null) {
      const event = `Et bilag fra EDI er ikke vedhæftet: ${fileName}. ${object.refused ?? ""}`.slice(0, LOG_LINE);
      await insertVisitLogEntry(tx, actor, { referralId, status: null, event }, now);
      continue;
    }
    await renameStoredFile(tx, object.stored_file_id, fileName);
    received.push({
      storedFileId: object.stored_file_id,
      kind: kindOf(fileName),
      fileName,
      sha256: object.sha256 ?? "",
    });
  }
  await attachReceivedFiles({ tx, actor, now }, referralId, received);
}

/** The letter's description of the file with the file's extension. */
function nameOf(fileName: string, description: string | null): string {
  if (description === null) return fileName;
  const ending = fileName.slice(fileName.lastIndexOf("."));
  return sanitiseFileName(description.toLowerCase().endsWith(ending) ? description : `${description}${ending}`);
}

export async function bindOwnObjects(
  context: ChangeContext,
  messageId: number,
  referralId: ScopedReferralId,
): Promise<void> {
  await bindObjects(context, referralId, await findLooseObjects(context.tx, messageId), []);
}
