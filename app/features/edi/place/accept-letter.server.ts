import type { ChangeContext } from "~/access/operation.server";
import { type ScopedReferralId } from "~/access/scope.server";
import type { StoredLetter } from "~/features/edi/message-content";
import { senderName } from "~/features/edi/message-content";
import type { EdiMessage } from "~/features/edi/store/edi-message-store.server";
import { makeMessagesOfPatientDue, settleEdiMessage } from "~/features/edi/store/edi-message-store.server";
import { findLettersNaming, findLooseObjects, makeObjectsDue } from "~/features/edi/store/edi-object-store.server";
import { receiveMessage } from "~/features/messages/receive-message.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { createReceivedReferral } from "~/features/referrals/received/create-received-referral.server";
import { bindObjects, bindOwnObjects, LOG_LINE } from "./bind-objects.server";
import { findSender } from "./find-sender.server";
import { ediIdOf, valuesOfReferral } from "./referral-values";

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
  const { desiredTreatment, diagnose, previousTreatment, comment } = valuesOfReferral(letter);
  const parts: readonly (readonly [string, string | null])[] = [
    ["Ønsket behandling", desiredTreatment],
    ["Diagnose", diagnose],
    ["Tidligere behandling", previousTreatment],
    ["Kommentar", comment],
  ];
  const lines = parts.flatMap(([label, text]) => (text === null ? [] : `${label}: ${text}`));
  return [`${statusWords[letter.status]} pr. EDI (brev ${letter.identifier})`, ...lines].join("\n\n");
}
