import { z } from "zod";
import { change, external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ClaimedMessage } from "~/features/delivery/port";
import {
  findQueuedLetters,
  judgeLetter,
  type LetterVerdict,
  settleLetter,
} from "~/features/delivery/letter-queue.server";
import { endBatch, findItems, leaveOut } from "./letter-batch-store.server";

const oneBatch = z.object({ batchId: z.coerce.number().int().positive() });

const alreadyEnded = () =>
  new Refusal("conflict", { text: "Brevbunken er allerede markeret. Se i arkivet, hvad der blev gjort." });

interface Judged {
  letter: ClaimedMessage;
  /** Why the letter must be removed from the pile; null if it may be sent. */
  reason: string | null;
  verdict: LetterVerdict | null;
}

/**
 * 'Markér som udskrevet': settles the letters as sent. Each is checked again; those that must not be sent are named
 * with their page and stay unsettled. Throws `notInScope` and `conflict`.
 */
export const markBatchPrinted = external({
  name: "markBatchPrinted",
  permission: "patientMessage.send",
  input: oneBatch,
  async prepare({ db, portal }, { batchId }): Promise<Judged[]> {
    const items = await findItems(db, batchId);
    if (items.length === 0) throw new Refusal("notInScope", { text: "Brevbunken findes ikke." });
    const letters = await findQueuedLetters(
      db,
      portal.secrets,
      items.map(({ outbox_id: id }) => id),
    );
    const judged: Judged[] = [];
    for (const letter of letters) {
      const printedFor = letter.to;
      const verdict = await judgeLetter(portal, letter);
      const isMoved = verdict === null && letter.to !== printedFor;
      judged.push({ letter, verdict, reason: verdict?.detail ?? (isMoved ? "Adressen er ændret" : null) });
    }
    return judged;
  },
  async run({ tx, portal, person, now, auditChange }, { batchId }, judged) {
    const items = await findItems(tx, batchId);
    if (!(await endBatch(tx, batchId, { printedBy: person.id }, now))) throw alreadyEnded();
    const out: string[] = [];
    for (const { outbox_id: outboxId, referral_id: referralId, first_page: page, withdrawn_because: why } of items) {
      const found = judged.find(({ letter }) => letter.id === outboxId);
      // Withdrawn after the batch was made.
      const reason = found === undefined ? (why ?? "Annulleret") : found.reason;
      if (reason === null) {
        await settleLetter(tx, portal, found!.letter, { outcome: "sent", detail: null }, now);
        continue;
      }
      await leaveOut(tx, batchId, outboxId, reason);
      out.push(`nr. ${referralId} (side ${page}): ${reason}`);
      if (found?.verdict && found.verdict.outcome !== "wait")
        await settleLetter(tx, portal, found.letter, found.verdict, now);
    }
    auditChange(
      items.flatMap(({ referral_id: id }) => id ?? []),
      `letter batch ${batchId} printed`,
    );
    const sent = items.length - out.length;
    const text = `Brevbunke nr. ${batchId} er udskrevet: ${sent === 1 ? "1 brev" : `${sent} breve`}.`;
    return {
      flash:
        out.length === 0
          ? { tone: "success" as const, text }
          : { tone: "error" as const, text: `${text} Tag disse ud af bunken: ${out.join("; ")}.` },
    };
  },
});

/** 'Ikke udskrevet': returns the letters to the queue. Throws `conflict`. */
export const putBatchBack = change({
  name: "putBatchBack",
  permission: "patientMessage.send",
  input: oneBatch,
  async run({ tx, now, auditChange }, { batchId }) {
    const items = await findItems(tx, batchId);
    if (!(await endBatch(tx, batchId, "withdrawn", now))) throw alreadyEnded();
    auditChange(
      items.flatMap(({ referral_id: id }) => id ?? []),
      `letter batch ${batchId} put back`,
    );
    return {
      flash: { tone: "success" as const, text: `Brevene i bunke nr. ${batchId} kommer med i den næste.` },
    };
  },
});
