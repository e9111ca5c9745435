/**
 * Program of the reader processes (build/reader-program.js), started and, after a timeout, killed by
 * readers.server.ts. Whatever a hostile file does stays in here.
 */
import { setPriority } from "node:os";
import { isMainThread, Worker } from "node:worker_threads";
import { captureJob, dicomJob, pdfCheckJob, pdfTextJob, previewJob } from "~/files/previews/preview-job";
import { returnedMailJob } from "./features/delivery/returned-mail-job";
import { ediJob } from "~/features/edi/reading/edi-job";
import { archiveJob } from "~/files/archive/archive-job";
import { csvJob } from "~/files/csv-job";
import { type ReaderJob, ROWS_PER_MESSAGE } from "~/files/reading/reader-job";

const LARGE_BYTES = 16e6;

/** Nice value: the portal's own work goes first. */
const LOWER_PRIORITY = 10;

type AnyJob = { kind: string } & Record<string, unknown>;

const answersTo = <Input extends object, Answer extends object>(
  { kind }: ReaderJob<Input, Answer>,
  answer: (input: Input) => Promise<Answer>,
): [string, (job: AnyJob) => Promise<object>] => [kind, (job) => answer(job as unknown as Input)];

/** Each reader is loaded with its first job. */
const answers = new Map([
  answersTo(returnedMailJob, async (job) =>
    (await import("~/gateways/email/bounce-folder.server")).readReturnedMailAt(job.sourcePath),
  ),
  answersTo(previewJob, async (job) => (await import("~/files/previews/draw-preview.server")).drawPreview(job)),
  answersTo(captureJob, async (job) => (await import("~/files/previews/draw-preview.server")).writeCapture(job)),
  answersTo(dicomJob, async (job) => (await import("~/files/dicom/dicom-facts.server")).readDicomFacts(job.sourcePath)),
  answersTo(pdfTextJob, async (job) => (await import("~/files/pdf/pdf-text.server")).readPdfText(job.sourcePath)),
  answersTo(pdfCheckJob, async (job) => ({
    check: await (await import("~/files/pdf/pdf-check.server")).checkPdf(job.sourcePath),
  })),
  answersTo(archiveJob, async (job) =>
    (await import("~/files/archive/read-archive.server")).listArchive(job.sourcePath),
  ),
  answersTo(csvJob, async (job) => (await import("~/files/read-csv.server")).readCsvAt(job)),
  answersTo(ediJob, async (job) => (await import("~/features/edi/reading/read-envelope.server")).readEdiFile(job)),
]);

process.on("message", (job: AnyJob) => {
  void answers.get(job.kind)!(job).then((answer) => {
    freeBuffers();
    send(answer);
  });
});
process.on("disconnect", () => process.exit());
watchMemory(Number(process.argv[2]));
try {
  setPriority(LOWER_PRIORITY);
} catch {
  // Without permission to lower it, reading competes with the rest.
}

/** Frees a job's buffers before the next job has its own: V8 sees their handles alone, and would keep hundreds of megabytes of pictures. */
function freeBuffers(): void {
  if (process.memoryUsage().arrayBuffers > LARGE_BYTES) globalThis.gc?.();
}

function send(answer: { rows?: unknown[] }): void {
  const { rows } = answer;
  if (rows === undefined) {
    process.send?.(answer);
    return;
  }
  let at = 0;
  for (; at + ROWS_PER_MESSAGE < rows.length; at += ROWS_PER_MESSAGE)
    process.send?.({ more: rows.slice(at, at + ROWS_PER_MESSAGE) });
  process.send?.({ ...answer, rows: rows.slice(at) });
}

/**
 * Kills the process above its memory limit (V8's limit excludes buffers and decoders) or when the portal has died. In a
 * thread, since decoders do not yield.
 */
function watchMemory(maxRssBytes: number): void {
  const watch = `
    const { workerData } = require("node:worker_threads");
    const parent = process.ppid;
    setInterval(() => {
      if (process.memoryUsage.rss() > workerData || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
    }, 10);`;
  if (isMainThread) new Worker(watch, { eval: true, workerData: maxRssBytes }).unref();
}
