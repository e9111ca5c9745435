import { addHours } from "date-fns";
import { letterBrief } from "../edi-states";
import { raiseAlarm } from "~/features/urgent-alarm/alarm-store.server";
import { z } from "zod";
import { type ChangeContext, external } from "~/access/operation.server";
import { insertStoredFile, type NewStoredFile } from "~/files/stored-file-store.server";
import {
  type EdiKind,
  type EdiState,
  type MessageContent,
  storedLetterOf,
  WAIT_HOURS,
} from "~/features/edi/edi-states";
import type { WrittenLetter } from "~/features/edi/reading/edi-job";
import type { RefusedLetter } from "~/features/edi/reading/letter";
import { processReceipt, queueReceipt } from "~/features/edi/receipts/process-receipt.server";
import { insertFile, isFileKnown, insertEdiMessage } from "../store/edi-store.server";
import { insertObjects, insertReferences } from "~/features/edi/store/edi-object-store.server";
import { dedupeKeyOf, NO_ENVELOPE, type ReadEnvelope, readLetters, refusedOf } from "./read-letters.server";
import { type JudgedObject, encryptRaw, sha256Of } from "./raw-file.server";

const troubles = {
  tooBig: (sizeBytes: number) => `Filen fylder ${Math.round(sizeBytes / 1024 / 1024)} MB og er ikke læst: højst 64 MB.`,
  longName: () => "Filens navn er længere end 200 tegn, og filen er ikke læst.",
  deadly: () => "Portalen er to gange gået ned, mens filen blev læst, og læser den ikke igen.",
};
type Trouble = keyof typeof troubles;

const unread = (trouble: Trouble, sizeBytes: number) =>
  refusedOf({
    isBroken: true,
    refuseCode: "ikke_specificeret",
    text: `${troubles[trouble](sizeBytes)} Den ligger i mappen med endelsen .aside.`,
  });

/**
 * Receives a file: stores it encrypted and records each letter with its files and requested receipt in one transaction.
 * Idempotent: the same bytes add nothing, and a letter with the same content is a duplicate. Returns `data.isNew`.
 */
export const receiveEdiFile = external({
  name: "edi.receiveFile",
  permission: "system",
  input: z.object({
    name: z.string(),
    sizeBytes: z.number(),
    bytes: z.instanceof(Buffer).nullable(),
    trouble: z.enum(["tooBig", "longName", "deadly"]).nullable().default(null),
  }),
  async prepare({ db, portal }, { name, sizeBytes, bytes, trouble }) {
    const sha256 = await sha256Of(bytes ?? Buffer.from(JSON.stringify([name, sizeBytes])));
    if (await isFileKnown(db, sha256)) return null;
    if (bytes === null || trouble !== null)
      return {
        sha256,
        envelope: NO_ENVELOPE,
        letters: [unread(trouble ?? "tooBig", sizeBytes)],
        objects: [],
        key: "",
        raw: null,
      };
    const { envelope, letters, objects } = await readLetters(portal, bytes);
    const { key, sealed, factsOfSealed } = encryptRaw(bytes);
    const storageKey = await portal.files.put(sealed);
    const raw: NewStoredFile = {
      storageKey,
      fileName: "edi",
      mime: "application/octet-stream",
      ...factsOfSealed(),
      scanState: "notScanned",
      dicomCprHash: null,
      dicomFactsEncrypted: null,
    };
    return { sha256, envelope, letters, objects, key, raw };
  },
  async run(context, { name, sizeBytes }, prepared) {
    if (prepared === null) return { data: { isNew: false } };
    const { tx, portal, now } = context;
    const { sha256, envelope, letters, objects, key, raw } = prepared;
    const file = {
      sha256,
      sizeBytes,
      storedFileId: raw === null ? null : await insertStoredFile(tx, raw, now),
      content: { key, name: name.slice(0, 255) },
    };
    const fileId = await insertFile(tx, portal.secrets, file, now);
    // Another process was first; the cleanup job removes the files stored here.
    if (fileId === null) throw new AlreadyTaken();
    for (const [position, letter] of letters.entries())
      await writeLetter(context, { fileId, position, envelope, objects: objects[position] ?? [] }, letter);
    return { data: { isNew: true } };
  },
});

export class AlreadyTaken extends Error {}

const stateOf = (letter: WrittenLetter): EdiState => {
  if (letter.kind === "refused") return "refused";
  return letter.kind === "receipt" ? "receipt" : "new";
};

async function writeLetter(
  context: ChangeContext,
  {
    fileId,
    position,
    envelope,
    objects,
  }: {
    fileId: number;
    position: number;
    envelope: ReadEnvelope;
    objects: JudgedObject[];
  },
  letter: WrittenLetter,
): Promise<void> {
  const { tx, portal, now } = context;
  const state = stateOf(letter);
  const answer = () => queueReceipt(context, id, envelope, letter, portal.config.edi?.glns[0] ?? null);
  const { identifier, sender, type } = letter;
  const { id, duplicateOf } = await insertEdiMessage(
    tx,
    portal.secrets,
    {
      fileId,
      position,
      kind: letter.kind satisfies EdiKind,
      type,
      letterId: identifier,
      envelopeId: envelope.identifier || null,
      senderEan: sender?.ean?.slice(0, 35) ?? null,
      dedupeKey: letter.kind === "refused" ? null : dedupeKeyOf(portal.secrets, letter),
      content: contentOf(envelope, letter),
      state,
      detail: letter.kind === "refused" ? letter.text : receiptText(letter),
      nextAt: state === "new" ? now : null,
    },
    now,
  );
  if (duplicateOf === null && letterBrief(contentOf(envelope, letter).letter).isUrgent)
    await raiseAlarm(tx, { ediMessageId: id, cause: "letter" }, now);
  // A duplicate's files are stored already. It is answered again, as the sender may have missed the receipt.
  if (duplicateOf !== null) {
    if (duplicateOf.envelopeId !== envelope.identifier) await answer();
    return;
  }
  if (letter.kind === "receipt") await processReceipt(context, id, letter);
  await insertFiles(context, id, letter, objects);
  await answer();
}

export const contentOf = (
  envelope: Pick<ReadEnvelope, "syntax" | "wantsReceipt">,
  letter: WrittenLetter,
): MessageContent => ({
  syntax: envelope.syntax,
  wantsReceipt: envelope.wantsReceipt,
  ...(letter.kind === "refused" ? { letter: null } : { letter: storedLetterOf(letter), digest: letter.digest }),
  sender: letter.sender,
  receiver: letter.receiver,
});

export async function insertFiles(
  { tx, now }: ChangeContext,
  messageId: number,
  letter: WrittenLetter,
  objects: readonly JudgedObject[],
): Promise<void> {
  const rows = [];
  for (const { accepted, ...object } of objects)
    rows.push({ ...object, storedFileId: accepted === null ? null : await insertStoredFile(tx, accepted, now) });
  await insertObjects(tx, messageId, rows);
  if ("references" in letter) await insertReferences(tx, messageId, letter.references, addHours(now, WAIT_HOURS));
}

/** A receipt's text for the log; the receiver's own words are kept encrypted. */
function receiptText(letter: Exclude<WrittenLetter, RefusedLetter>): string | null {
  if (letter.kind !== "receipt") return null;
  const names = letter.originals.map(({ identifier }) => identifier).join(", ");
  const about = names === "" ? `kuvert ${letter.originalEnvelope}` : `brev ${names}`;
  const code = letter.originals[0]?.refuseCode ?? letter.refuseCode;
  return letter.isPositive
    ? `Modtaget: ${about}.`
    : `Afvist: ${about}${code === null ? "" : ` (${code.slice(0, 40)})`}.`;
}
