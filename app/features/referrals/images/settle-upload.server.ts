import type { CommandResult } from "~/access/command-result";
import { archiveTexts, groupRefusals, isArchive, notTakenText } from "~/files/archive/archive-rules";
import type { Unpacked } from "~/files/archive/unpack-archive.server";
import { type PartialUpload, recordOutcome } from "~/files/staging/partial-upload-store.server";
import { insertUnpacked } from "~/files/staging/unpacked-upload-store.server";
import type { NewStoredFile } from "~/files/stored-file-store.server";
import type { Tx } from "~db/connection.server";

type Settled = Unpacked & {
  images: readonly {
    file: NewStoredFile & { radiographType: number };
    refused: string | null;
    fileId: number | null;
  }[];
};

/** Records an upload's result, for a ZIP of each file, and returns it to the finishing request. */
export async function settleUpload(tx: Tx, upload: PartialUpload, settled: Settled, now: Date): Promise<CommandResult> {
  const [only] = settled.images;
  if (isArchive(upload.fileName)) await recordUnpacked(tx, upload, settled, now);
  const { refusal, isAccepted } = isArchive(upload.fileName)
    ? refusalOfArchive(upload, settled)
    : { refusal: settled.refusal ?? only?.refused ?? null, isAccepted: only?.refused === null };
  const outcome = {
    ...upload,
    state: isAccepted ? ("kept" as const) : ("refused" as const),
    refusal,
    referralFileId: isArchive(upload.fileName) ? null : (only?.fileId ?? null),
  };
  await recordOutcome(tx, outcome);
  return { data: outcomeOf(outcome) };
}

export function outcomeOf({ state, referralFileId, refusal }: PartialUpload) {
  return state === "kept" ? { fileId: referralFileId } : { refused: refusal ?? "" };
}

const notTaken = ({ images, refused }: Settled) => [
  ...refused,
  ...images.flatMap(({ file, refused: text }) => (text === null ? [] : [{ fileName: file.fileName, text }])),
];

/** A ZIP with any accepted file is accepted; refused files are recorded for the log. */
function refusalOfArchive(
  { fileName }: PartialUpload,
  settled: Settled,
): { refusal: string | null; isAccepted: boolean } {
  if (settled.images.every(({ refused }) => refused !== null))
    return { refusal: settled.refusal ?? archiveTexts.noneTaken, isAccepted: false };
  const left = notTaken(settled);
  if (left.length === 0) return { refusal: null, isAccepted: true };
  const lines = groupRefusals(left).map(({ names, text }) => `${names} (${text})`);
  return { refusal: `${notTakenText(left.length, fileName)}: ${lines.join(" ")}`, isAccepted: true };
}

const recordUnpacked = (tx: Tx, archive: PartialUpload, settled: Settled, now: Date) =>
  insertUnpacked(
    tx,
    archive,
    [
      ...settled.images.map(({ file, refused, fileId }) => ({
        radiographType: file.radiographType,
        fileName: file.fileName,
        sizeBytes: file.sizeBytes,
        refusal: refused,
        referralFileId: fileId,
        storageKey: refused === null ? file.storageKey : null,
      })),
      ...settled.refused.map(({ fileName, text }) => ({
        radiographType: archive.radiographType,
        fileName,
        sizeBytes: 0,
        refusal: text,
        referralFileId: null,
        storageKey: null,
      })),
    ],
    now,
  );
