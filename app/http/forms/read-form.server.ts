import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import busboy from "busboy";
import { Refusal } from "~/access/refusal";

/** More fields than the longest form: 1,000 chosen referrals and what stands beside them. */
const MAX_FIELDS = 2_000;
/** One more than the longest list of any form, so that its own rule says what is too much. */
const MAX_OF_ONE_NAME = 1_001;
/** Files of one form, more than anybody chooses: those beyond a field's own limit are named, not stored. */
const MAX_FILES = 5_000;
/** Forms name their fields plainly; the API also takes `Field[]`. A name with a path in it would be expanded by whoever reads it. */
const FLAT_NAME = /^[A-Za-z]\w{0,60}(\[\])?$/;

/** A form without files is no larger than this. When its session has run out, it is read after all, and what was typed is kept. */
const SMALL_FORM_BYTES = 256 * 1024;
export const isSmall = (request: IncomingMessage) =>
  Number(request.headers["content-length"] ?? Infinity) <= SMALL_FORM_BYTES;

interface Options {
  /** The longest text of one field; a longer one is refused as `textTooLong`. */
  maxFieldBytes: number;
  /**
   * Stores one file of a multipart form and settles once its stream has ended, or stops the reading: the form is then what had come by
   * then. Without it files are passed over, and the form names them in `leftOutFile`.
   */
  storeFile?: (field: string, fileName: string, file: Readable, stop: () => void) => Promise<void>;
  /** So many bytes of files are passed over; with more, the form is what had come by then. */
  maxPassedOver?: number;
}

/**
 * Reads a form, urlencoded or multipart, while it arrives. Fields are counted and their names checked as they come, so that a hostile
 * form costs no more than its own bytes: `formUnreadable` for too many fields, too many of one name, or a name that is no plain word,
 * `textTooLong`, `uploadBroken` for a body that does not hold together or ends too early.
 *
 * The request stays open after a refusal, for its answer; what is left of the body is the caller's to drop. Rejects only once every
 * `storeFile` has settled.
 */
export function readForm(
  request: IncomingMessage,
  { maxFieldBytes, storeFile, maxPassedOver = Infinity }: Options,
): Promise<FormData> {
  const form = new FormData();
  const counts = new Map<string, number>();
  const stored: Promise<void>[] = [];
  let passedOver = 0;
  let parser: busboy.Busboy;
  try {
    // A value is cut at the limit, so one byte more tells whether it was longer.
    const limits = {
      fieldNameSize: 100,
      fieldSize: maxFieldBytes + 1,
      fields: MAX_FIELDS + 1,
      files: MAX_FILES,
      parts: MAX_FIELDS + MAX_FILES + 1,
    };
    parser = busboy({ headers: request.headers, limits, defParamCharset: "utf8" });
  } catch {
    return Promise.reject(new Refusal("uploadBroken"));
  }
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const settle = (error?: unknown) => {
      if (isSettled) return;
      isSettled = true;
      request.unpipe(parser);
      request.off("close", gone);
      request.off("error", cutOff);
      if (error !== undefined) parser.destroy();
      void Promise.allSettled(stored).then((outcomes) => {
        const failed = outcomes.find((outcome) => outcome.status === "rejected");
        if (error !== undefined) reject(error);
        else if (failed) reject(failed.reason);
        else resolve(form);
      });
    };
    const cutOff = () => settle(new Refusal("uploadBroken"));
    // Also comes after a body that was read to its end.
    const gone = () => {
      if (!request.readableEnded) cutOff();
    };
    const count = (name: string | undefined, isCut: boolean) => {
      const ofName = (counts.get(name ?? "") ?? 0) + 1;
      counts.set(name ?? "", ofName);
      if (name === undefined || isCut || !FLAT_NAME.test(name) || ofName > MAX_OF_ONE_NAME)
        settle(new Refusal("formUnreadable"));
    };
    const tooMany = () => settle(new Refusal("formUnreadable"));

    // busboy declares both as text, but gives no name where a part has none, and no value in a coding that it does not know.
    parser.on("field", (name: string | undefined, value: string | undefined, { nameTruncated, valueTruncated }) => {
      if (isSettled) return;
      count(name, nameTruncated);
      if (value === undefined) settle(new Refusal("formUnreadable"));
      else if (valueTruncated || Buffer.byteLength(value) > maxFieldBytes) settle(new Refusal("textTooLong"));
      if (!isSettled) form.append(name!, value!);
    });
    parser.on("file", (name: string | undefined, file, { filename }) => {
      // The parser destroys a file that the body breaks off in; its error is told by the parser itself.
      file.on("error", () => undefined);
      if (!isSettled && (name === undefined || !FLAT_NAME.test(name))) settle(new Refusal("formUnreadable"));
      // A file field in which nothing was chosen comes without a name.
      if (isSettled || !storeFile || !filename) {
        if (!isSettled && !storeFile && filename) form.append("leftOutFile", unescaped(filename));
        file.on("data", ({ length }: Buffer) => (passedOver += length) > maxPassedOver && settle());
        return;
      }
      const storing = storeFile(name!, unescaped(filename), file, () => settle());
      stored.push(storing);
      storing.catch(settle);
    });
    parser.on("fieldsLimit", tooMany).on("filesLimit", tooMany).on("partsLimit", tooMany);
    parser.on("error", cutOff);
    parser.on("close", () => settle());
    request.on("close", gone).on("error", cutOff);
    request.pipe(parser);
  });
}

/** Browsers escape these three characters in a file's name, and nothing else. */
const ESCAPES: Record<string, string> = { "%0A": "\n", "%0D": "\r", "%22": '"' };
const unescaped = (name: string) => name.replace(/%0A|%0D|%22/gi, (escape) => ESCAPES[escape.toUpperCase()]!);
