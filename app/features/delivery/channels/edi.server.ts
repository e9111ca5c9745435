import type { EdiFile } from "~/gateways/edi/port";
import type { AttachedFile, SendResult } from "~/gateways/sending/port";
import { type Channel, usualChannel } from "./channel.server";
import type { EdiContent } from "../port";
import { withFile } from "./letters.server";

/** Default without EDI settings, which only a trial lacks; its folder gives no receipts. */
const RECEIPT_HOURS = 24;

export const edi: Channel<EdiContent | null> = {
  ...usualChannel,
  awaitHours: ({ config }) => config.edi?.receiptHours ?? RECEIPT_HOURS,
  silentText: "Modtageren har ikke kvitteret",
  logType: "edi",
  gateway: (portal) => portal.edi,
  async send(portal, { key, globalId, content, file }, signal) {
    if (content === null) return { outcome: "refused", detail: "Brevet findes ikke længere" };
    const { syntax, text, attachment, notice } = content;
    const message = {
      name: `${globalId}.${syntax === "xml" ? "xml" : "edi"}`,
      // The portal writes only the latin1 subset of windows-1252.
      bytes: Buffer.from(text.replace(/[^\u0020-\u007e\u00a0-\u00ff\t\r\n]/g, "?"), "latin1"),
    };
    const hand = (files: EdiFile[]) => portal.edi.send({ key, files }, signal);
    if (attachment === undefined) return hand([message]);
    const withBytes = async (pdf: AttachedFile): Promise<SendResult> => {
      const bytes = await encodeAttachment(attachment, pdf).catch((error: unknown) => {
        portal.log.error({ err: error, message: key }, "a letter's PDF cannot be read");
        return null;
      });
      if (bytes === null) return { outcome: "retry", detail: "Pdf-filen kan ikke læses" };
      const first = { name: `${globalId}-bin.xml`, bytes };
      const result = await hand([first, message]);
      // The local folder gives no receipts.
      if (result.outcome !== "sent") return result;
      return { ...result, ...(notice && { notice }), outcome: portal.edi.mode === "live" ? "accepted" : "sent" };
    };
    return withFile(file, withBytes);
  },
};

/** Base64 encodes three bytes at a time; only the last piece may differ. */
const GROUP = 3;

/**
 * Encodes a file as Base64 in its envelope as a stream. Rejects if the store has another number of bytes than
 * announced.
 */
export async function encodeAttachment(
  { before, after }: NonNullable<EdiContent["attachment"]>,
  { sizeBytes, open }: AttachedFile,
): Promise<Buffer> {
  const base64 = Math.ceil(sizeBytes / GROUP) * 4;
  const encoded = Buffer.alloc(before.length + base64 + after.length);
  let at = encoded.write(before, 0, "latin1");
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  for await (const chunk of (await open()) as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > sizeBytes) break;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % GROUP);
    at += encoded.write(bytes.toString("base64", 0, whole), at, "latin1");
    rest = bytes.subarray(whole);
  }
  if (read !== sizeBytes) throw new Error(`the store has ${read} bytes of a file of ${sizeBytes}`);
  at += encoded.write(rest.toString("base64"), at, "latin1");
  encoded.write(after, at, "latin1");
  return encoded;
}
