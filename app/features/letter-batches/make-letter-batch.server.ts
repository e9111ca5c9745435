import { z } from "zod";
import { referralIdsOf, unlessTaken } from "~db/connection.server";
import {
  change,
  type ChangeContext,
  external,
  type ReadContext,
  wholeNumber,
  succeeded,
} from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { MESSAGE_TOO_LONG } from "~/features/delivery/delivery-status";
import type { ClaimedMessage } from "~/features/delivery/port";
import { judgeLetter, type LetterVerdict, settleLetter } from "~/features/delivery/settle-messages.server";
import { findQueuedLetters, findWaitingLetters, recordPrintedLetter } from "~/features/delivery/store.server";
import { type LetterPlace, LetterTooLong, renderLetter, renderLetters } from "~/features/letters/letter-pdf.server";
import { letterOf } from "~/features/patient-messages/patient-hooks.server";
import { insertStoredFile, type NewStoredFile } from "~/files/stored-file-store.server";
import { storeLetter } from "~/files/store-file.server";
import { endBatch, findItems, insertBatch, leaveOut } from "./letter-batch-store.server";

const MAX_LETTERS = 200;

interface Prepared {
  letters: { letter: ClaimedMessage; file: NewStoredFile; place: LetterPlace }[];
  batch: { file: NewStoredFile; pageCount: number } | null;
  /** Letters that must not be sent, with the reason. Those that cannot be checked now wait for the next batch. */
  refused: { letter: ClaimedMessage; verdict: LetterVerdict }[];
}

/**
 * 'Dan brevbunke nu': makes one PDF of all waiting letters after checking each again, and names those left out. They
 * count as sent once marked as printed. Throws `invalid` when none waits, and `conflict` when somebody else just made
 * one.
 */
export const makeLetterBatch = external({
  name: "makeLetterBatch",
  permission: "patientMessage.send",
  prepare: prepareBatch,
  async run(context, _input, prepared) {
    const { batchId, count } = await saveBatch(context, prepared, context.person.id);
    const left = prepared.refused.length;
    if (batchId === null && left === 0)
      throw new Refusal("invalid", { text: "Der er ingen breve, der venter på udskrift." });
    const made =
      batchId === null
        ? "Der er ikke dannet nogen brevbunke."
        : `Brevbunke nr. ${batchId} er dannet med ${lettersOf(count)}. Hent den i arkivet.`;
    // Not a refusal, which would roll back the recorded reasons.
    return {
      flash: {
        tone: left === 0 ? ("success" as const) : ("error" as const),
        text: left === 0 ? made : `${made} ${lettersOf(left)} kom ikke med: ${reasonsOf(prepared.refused)}.`,
      },
    };
  },
});

const lettersOf = (count: number) => (count === 1 ? "1 brev" : `${count} breve`);

const reasonsOf = (refused: Prepared["refused"]) =>
  refused.map(({ letter, verdict }) => `nr. ${letter.referralId} (${verdict.detail})`).join(", ");

/** Job: as `makeLetterBatch`, but without a person, and without an error when no letter waits. */
export const makeDailyBatch = external({
  name: "makeDailyBatch",
  permission: "system",
  prepare: prepareBatch,
  async run(context, _input, prepared) {
    await saveBatch(context, prepared, null);
    return {};
  },
});

async function prepareBatch({ db, portal }: ReadContext): Promise<Prepared> {
  const prepared: Prepared = { letters: [], batch: null, refused: [] };
  const going: { letter: ClaimedMessage; file: NewStoredFile; content: Awaited<ReturnType<typeof letterOf>> }[] = [];
  for (const letter of await findWaitingLetters(db, portal.secrets, MAX_LETTERS)) {
    const verdict = await judgeLetter(portal, letter);
    if (verdict !== null) {
      prepared.refused.push({ letter, verdict });
      continue;
    }
    try {
      const content = await letterOf(portal, letter);
      const { pdf } = await renderLetter(content);
      going.push({ letter, content, file: await storeLetter(portal, { name: "Brev.pdf", pdf }) });
    } catch (error) {
      if (!(error instanceof LetterTooLong)) throw error;
      prepared.refused.push({
        letter,
        verdict: { outcome: "failed", detail: "Brevet er længere end to sider", code: MESSAGE_TOO_LONG },
      });
    }
  }
  if (going.length === 0) return prepared;
  const { pdf, places, pageCount } = await renderLetters(
    going.map(({ content }) => content),
    "Brevbunke",
  );
  const name = `Brevbunke-${portal.clock.now().toISOString().slice(0, 10)}.pdf`;
  return {
    ...prepared,
    letters: going.map(({ letter, file }, index) => ({ letter, file, place: places[index]! })),
    batch: { file: await storeLetter(portal, { name, pdf }), pageCount },
  };
}

async function saveBatch(
  { tx, portal, now, auditChange }: ChangeContext,
  { letters, batch, refused }: Prepared,
  creatorId: number | null,
): Promise<{ batchId: number | null; count: number }> {
  for (const { letter, verdict } of refused)
    if (verdict.outcome !== "wait") await settleLetter(tx, portal, letter, verdict, now);
  if (batch === null) return { batchId: null, count: 0 };
  for (const { letter, file } of letters) {
    const storedFileId = await insertStoredFile(tx, file, now);
    await recordPrintedLetter(tx, portal.secrets, { id: letter.id, to: letter.to, storedFileId });
  }
  const newBatch = {
    creatorId,
    storedFileId: await insertStoredFile(tx, batch.file, now),
    pageCount: batch.pageCount,
    items: letters.map(({ letter, place }) => ({ outboxId: letter.id, ...place })),
  };
  const batchId = await unlessTaken(insertBatch(tx, newBatch, now), () => {
    throw new Refusal("conflict", { text: "En anden har lige dannet en brevbunke. Se den i arkivet." });
  });
  auditChange(
    letters.flatMap(({ letter }) => letter.referralId ?? []),
    `letter batch ${batchId}`,
  );
  return { batchId, count: letters.length };
}

const oneBatch = z.object({ batchId: wholeNumber.positive() });

const alreadyEnded = (batchId: number) =>
  new Refusal("conflict", {
    text: `Brevbunke nr. ${batchId} er allerede markeret. Se i arkivet, hvad der blev gjort.`,
  });

interface Judged {
  letter: ClaimedMessage;
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
      items.map(({ outboxId: id }) => id),
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
    if (!(await endBatch(tx, batchId, { printedBy: person.id }, now))) throw alreadyEnded(batchId);
    const out: string[] = [];
    for (const { outboxId, referralId, firstPage: page, withdrawnBecause: why } of items) {
      const found = judged.find(({ letter }) => letter.id === outboxId);
      const isSent =
        found?.reason === null &&
        (await settleLetter(tx, portal, found.letter, { outcome: "sent", detail: null }, now));
      if (isSent) continue;
      // A letter may have been withdrawn while the register was asked about the others.
      const reason = found?.reason ?? why ?? "Annulleret";
      await leaveOut(tx, batchId, outboxId, reason);
      out.push(`nr. ${referralId} (side ${page}): ${reason}`);
      if (found?.verdict && found.verdict.outcome !== "wait")
        await settleLetter(tx, portal, found.letter, found.verdict, now);
    }
    auditChange(referralIdsOf(items), `letter batch ${batchId} printed`);
    const sent = items.length - out.length;
    const text = `Brevbunke nr. ${batchId} er udskrevet: ${sent === 1 ? "1 brev" : `${sent} breve`}.`;
    return {
      flash:
        out.length === 0
          ? { tone: "success", text }
          : { tone: "error", text: `${text} Tag disse ud af bunken: ${out.join("; ")}.` },
    };
  },
});

/** 'Læg brevene tilbage i køen': returns the letters to the queue. Throws `conflict`. */
export const putBatchBack = change({
  name: "putBatchBack",
  permission: "patientMessage.send",
  input: oneBatch,
  async run({ tx, now, auditChange }, { batchId }) {
    const items = await findItems(tx, batchId);
    if (!(await endBatch(tx, batchId, "withdrawn", now))) throw alreadyEnded(batchId);
    auditChange(referralIdsOf(items), `letter batch ${batchId} put back`);
    return succeeded(`Brevene i bunke nr. ${batchId} kommer med i den næste.`);
  },
});
