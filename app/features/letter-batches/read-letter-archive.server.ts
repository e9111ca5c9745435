import { z } from "zod";
import { read, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays, noDayText, parseDay } from "~/text/calendar";
import { localDate, localHour } from "~/text/dates";
import { findBatch, findBatches, findItems, findLiveBatches, hasMadeSince } from "./letter-batch-store.server";
import { countWaitingLetters } from "~/features/delivery/store.server";
import type { Portal } from "~/portal.server";
import { findSetting } from "~/features/settings/settings.server";
import { referralIdsOf } from "~db/connection.server";

const WRONG_ORDER = "Fra-datoen kan ikke være efter til-datoen.";

const MAX_BATCHES = 500;
const STANDARD_DAYS = 28;

const typedDay = z
  .string()
  .max(100)
  .nullish()
  .transform((text) => text?.trim() ?? "");

function errorsOf(typed: { from: string; to: string }, { from, to }: { from: string; to: string }) {
  const unread = (text: string) => (text !== "" && parseDay(text) === null ? noDayText(text) : undefined);
  const errors = { from: unread(typed.from), to: unread(typed.to) };
  return from > to ? { ...errors, from: errors.from ?? WRONG_ORDER } : errors;
}

/**
 * Batches by the days they were made, both included (GET /Incall/archive). An unreadable day gives an error and the
 * default period.
 */
export const readLetterArchive = read({
  name: "readLetterArchive",
  permission: "patientMessage.send",
  input: z.object({ from: typedDay, to: typedDay }),
  async run({ db, now }, input) {
    const to = parseDay(input.to) ?? localDate(now);
    const from = parseDay(input.from) ?? addDays(to, -STANDARD_DAYS);
    const batches = await findBatches(db, { from: startOfDay(from), to: startOfDay(addDays(to, 1)) }, MAX_BATCHES);
    return {
      from,
      to,
      typed: input,
      errors: errorsOf(input, { from, to }),
      batches: batches.map((batch) => ({
        id: batch.id,
        date: batch.createdAt,
        letterCount: Number(batch.letterCount ?? 0),
        pageCount: batch.pageCount,
        printedAt: batch.printedAt,
        isWithdrawn: batch.withdrawnAt !== null,
      })),
    };
  },
});

/** The PDF of a batch; audits every referral in it. Throws `notInScope`. */
export const downloadLetterBatch = read({
  name: "downloadLetterBatch",
  permission: "patientMessage.send",
  input: z.object({ batchId: wholeNumber.positive() }),
  async run({ db, portal, auditRead }, { batchId }) {
    const batch = await findBatch(db, batchId);
    if (!batch) throw new Refusal("notInScope", { text: "Brevbunken findes ikke." });
    const items = await findItems(db, batchId);
    auditRead(referralIdsOf(items), `letter batch ${batchId}`);
    return {
      fileName: `Brevbunke_${batchId}.pdf`,
      mime: "application/pdf",
      sizeBytes: batch.sizeBytes,
      disposition: "inline" as const,
      open: () => portal.files.openRead(batch.storageKey),
    };
  },
});

/** Null where the clinic does not print letters itself. */
export async function readLetterCounts({ db, print }: Portal) {
  if (print.mode !== "batch") return null;
  return { waiting: await countWaitingLetters(db), liveBatches: (await findLiveBatches(db)).length };
}

/** Copenhagen hour of the automatic batch; null for manual batches only. */
export const BATCH_HOUR = "letterBatchHour";

/** Whether the day's batch is due: its hour has come, none was made today, and letters wait. */
export const readBatchDue = read({
  name: "readBatchDue",
  permission: "system",
  async run({ db, portal, now }) {
    const hour = await findSetting(db, BATCH_HOUR);
    if (portal.print.mode !== "batch" || !hour || localHour(now) < Number(hour)) return { isDue: false };
    const isMade = await hasMadeSince(db, startOfDay(localDate(now)));
    return { isDue: !isMade && (await countWaitingLetters(db)) > 0 };
  },
});
