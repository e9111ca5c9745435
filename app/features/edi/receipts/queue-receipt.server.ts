import type { Tx } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation.server";
import type { WrittenLetter } from "~/features/edi/reading/edi-job";
import type { Envelope } from "~/features/edi/reading/letter";
import { isReceipt } from "~/features/edi/reading/letter-parts";
import { setReceipt } from "~/features/edi/store/edi-message-store.server";
import { composeReceipt, type Receipt } from "./compose-receipt";

interface Answered {
  tx: Tx;
  outbox: ChangeContext["outbox"];
  now: Date;
}

/**
 * Queues a receipt in the transaction that records the letter: always when refused, otherwise on request. Receipts are
 * not answered, nor letters without location or message number.
 */
export async function queueReceipt(
  { tx, outbox, now }: Answered,
  messageId: number,
  envelope: Pick<Envelope, "syntax" | "identifier" | "wantsReceipt" | "receiverEan">,
  letter: WrittenLetter,
  ourEan: string | null,
): Promise<void> {
  const theirEan = letter.sender?.ean ?? null;
  const from = letter.receiver?.ean ?? envelope.receiverEan ?? ourEan;
  const isRefused = letter.kind === "refused";
  if (theirEan === null || from === null || isReceipt(letter.type ?? "")) return;
  if (!isRefused && !envelope.wantsReceipt) return;
  const receipt: Receipt = {
    syntax: envelope.syntax,
    envelopeId: `KV${messageId}`,
    letterId: `KB${messageId}`,
    sentAt: now,
    ourEan: from,
    theirEan,
    original: {
      envelopeId: envelope.identifier,
      letterId: letter.identifier,
      version: letter.version,
      messageType: letter.type?.startsWith("DIS") ? "MEDDIS" : "MEDREF",
    },
    refusal: isRefused ? { code: letter.refuseCode, text: letter.text } : null,
  };
  const outboxId = await outbox.edi({
    kind: "ediReceipt",
    to: theirEan,
    syntax: envelope.syntax,
    text: composeReceipt(receipt),
  });
  await setReceipt(tx, messageId, outboxId);
}
