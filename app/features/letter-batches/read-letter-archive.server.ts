import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays, parseDay } from "~/text/calendar";
import { isoMoment, localDate } from "~/text/dates";
import { findBatch, findBatches, findItems } from "./letter-batch-store.server";

/** More than a year of daily batches. */
const MAX_BATCHES = 500;
/** Without a span: those of the last four weeks. */
const STANDARD_DAYS = 28;

const day = z
  .string()
  .nullish()
  .transform((text) => (text ? parseDay(text) : null));

/** Batches of letters by the days they were made, both included (GET /Incall/archive). */
export const readLetterArchive = read({
  name: "readLetterArchive",
  permission: "patientMessage.send",
  input: z.object({ from: day, to: day }),
  async run({ db, now }, input) {
    const to = input.to ?? localDate(now);
    const from = input.from ?? addDays(to, -STANDARD_DAYS);
    const batches = await findBatches(db, { from: startOfDay(from), to: startOfDay(addDays(to, 1)) }, MAX_BATCHES);
    return {
      from,
      to,
      batches: batches.map((batch) => ({
        id: batch.id,
        date: isoMoment(batch.created_at),
        letterCount: Number(batch.letter_count ?? 0),
        pageCount: batch.page_count,
        printedAt: batch.printed_at === null ? null : isoMoment(batch.printed_at),
        isWithdrawn: batch.withdrawn_at !== null,
      })),
    };
  },
});

/** The PDF of one batch; every referral in it is in the audit. Throws `notInScope`. */
export const downloadLetterBatch = read({
  name: "downloadLetterBatch",
  permission: "patientMessage.send",
  input: z.object({ batchId: z.coerce.number().int().positive() }),
  async run({ db, portal, auditRead }, { batchId }) {
    const batch = await findBatch(db, batchId);
    if (!batch) throw new Refusal("notInScope", { text: "Brevbunken findes ikke." });
    const items = await findItems(db, batchId);
    auditRead(
      items.flatMap(({ referral_id: id }) => id ?? []),
      `letter batch ${batchId}`,
    );
    return {
      fileName: `Brevbunke_${batchId}.pdf`,
      mime: "application/pdf",
      sizeBytes: batch.size_bytes,
      disposition: "inline" as const,
      open: () => portal.files.openRead(batch.storage_key),
    };
  },
});
