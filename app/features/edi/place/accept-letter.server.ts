import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sanitiseFileName } from "~/files/file-name";
import { insertVisitLogEntry } from "~/features/referrals/store/visit-log-store.server";
import {
  attachReceivedFiles,
  createReceivedReferral,
} from "~/features/referrals/received/create-received-referral.server";
import { kindOf } from "~/features/edi/receive/store-objects.server";
import {
  bindObject,
  findLettersNaming,
  findLooseObjects,
  type LooseObject,
  makeObjectsDue,
} from "~/features/edi/store/edi-object-store.server";
import { renameStoredFile } from "~/files/stored-file-store.server";
import { senderName, type StoredLetter } from "~/features/edi/edi-states";
import {
  type EdiMessage,
  makeMessagesOfPatientDue,
  settleEdiMessage,
} from "~/features/edi/store/edi-message-store.server";
import { receiveMessage } from "~/features/messages/operations.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { findSender } from "./find-sender.server";
import { ediIdOf, valuesOfReferral } from "./referral-values";

const LOG_LINE = 300;

type Naming = Awaited<ReturnType<typeof findLettersNaming>>;

async function bindObjects(
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

function nameOf(fileName: string, description: string | null): string {
  if (description === null) return fileName;
  const ending = fileName.slice(fileName.lastIndexOf("."));
  return sanitiseFileName(description.toLowerCase().endsWith(ending) ? description : `${description}${ending}`);
}

async function bindOwnObjects(context: ChangeContext, messageId: number, referralId: ScopedReferralId): Promise<void> {
  await bindObjects(context, referralId, await findLooseObjects(context.tx, messageId), []);
}

type ReferralContent = Extract<StoredLetter, { kind: "referral" }>;

const UPLOADED_NOW = 0;
const BY_EDI = 2;
const NOTHING_MORE = 3;

/** Creates a referral from a letter with its files. `cpr` may be a corrected number. */
export async function importReferral(
  context: ChangeContext,
  message: EdiMessage,
  letter: ReferralContent,
  cpr: string,
  decidedBy?: number,
): Promise<void> {
  const { tx, portal, actor, now } = context;
  const objects = await findLooseObjects(tx, message.id);
  const referralId = await createReceivedReferral(
    { tx, secrets: portal.secrets, actor, now },
    {
      ...valuesOfReferral(letter),
      cpr,
      ediId: ediIdOf(letter.identifier, message.id),
      radiographsSendType: letter.references.length > 0 ? BY_EDI : objects.length > 0 ? UPLOADED_NOW : NOTHING_MORE,
      referrer: await findSender(tx, letter),
      event:
        `Henvisningen er modtaget pr. EDI: brev ${letter.identifier} fra ${senderName({ letter, sender: letter.sender }) ?? "ukendt afsender"}`.slice(
          0,
          LOG_LINE,
        ),
    },
  );
  await portal.referralHooks.sendCaseLink(context, await lockReferral(tx, actor, referralId));
  await bindOwnObjects(context, message.id, referralId);
  await settle(context, message, { state: "imported", referralId, decidedBy });
  await makeMessagesOfPatientDue(tx, portal.secrets, cpr, now);
}

/** Adds a letter's text to a referral's thread and its files to the referral. */
export async function addToReferral(
  context: ChangeContext,
  message: EdiMessage,
  referralId: ScopedReferralId,
  decidedBy?: number,
): Promise<void> {
  const { tx } = context;
  const letter = message.content?.letter ?? null;
  if (letter?.kind === "correspondence" || letter?.kind === "referral")
    await receiveMessage(context, {
      referralId,
      authorName: `${senderName({ letter, sender: letter.sender }) ?? "Ukendt"} (EDI)`,
      text: letter.kind === "correspondence" ? correspondenceText(letter) : referralText(letter),
    });
  const objects = await findLooseObjects(tx, message.id);
  const naming = await findLettersNaming(
    tx,
    message.sender_ean,
    objects.map(({ object_id: id }) => id),
  );
  await bindObjects(context, referralId, objects, naming);
  await settle(context, message, { state: "attached", referralId, decidedBy });
}

async function settle(
  context: ChangeContext,
  { id }: EdiMessage,
  { decidedBy, ...settlement }: { state: "imported" | "attached"; referralId: number; decidedBy: number | undefined },
): Promise<void> {
  const { tx, now, auditChange } = context;
  await settleEdiMessage(tx, id, { ...settlement, ...(decidedBy === undefined ? {} : { decidedBy }) }, now);
  await makeObjectsDue(tx, id, now);
  auditChange([settlement.referralId], `EDI message ${id}`);
  invalidateCounts(context);
}

function correspondenceText({ isUrgent, subject, text }: Extract<StoredLetter, { kind: "correspondence" }>): string {
  const head = [isUrgent ? "Høj prioritet" : null, subject].filter(Boolean).join(": ");
  return [head, text].filter(Boolean).join("\n\n") || "Brev uden tekst, modtaget pr. EDI";
}

const statusWords = { new: "Henvisning", corrected: "Rettet henvisning", cancelled: "Annulleret henvisning" } as const;

function referralText(letter: ReferralContent): string {
  const values = valuesOfReferral(letter);
  const parts: readonly (readonly [string, string | null])[] = [
    ["Ønsket behandling", values.desiredTreatment],
    ["Diagnose", values.diagnose],
    ["Allergi", values.allergies],
    ["Medicin", values.medication],
    ["Tidligere behandling", values.previousTreatment],
    ["Kommentar", values.comment],
  ];
  const lines = parts.flatMap(([label, text]) => (text === null ? [] : `${label}: ${text}`));
  return [`${statusWords[letter.status]} pr. EDI (brev ${letter.identifier})`, ...lines].join("\n\n");
}
