import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Request, Response } from "express";
import multer, { MulterError, type StorageEngine } from "multer";
import { Refusal } from "~/access/refusal";

/** More fields than the longest form: 1,000 selected referrals and the other fields. */
const MAX_FIELDS = 2_000;
/** One more than the longest list of any form, so that the list's own rule refuses what is too much. */
const MAX_OF_ONE_NAME = 1_001;
/** Files of one form, more than anybody chooses: those beyond a field's own limit are named, not stored. */
const MAX_FILES = 5_000;
/** Forms name their fields plainly; the API also takes `Field[]`. A name with a path in it would be expanded by its parser. */
const FLAT_NAME = /^[A-Za-z]\w{0,60}(\[\])?$/;

/** No browser sends such an escape; `URLSearchParams` would take it literally. */
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;

/** A form without files is no larger than this. When its session has expired it is read all the same, and what was typed is restored. */
const SMALL_FORM_BYTES = 256 * 1024;
export const isSmall = (request: Request) => Number(request.headers["content-length"] ?? Infinity) <= SMALL_FORM_BYTES;

interface Options {
  /** The longest text of one field of a multipart form; a longer one is refused as `textTooLong`. */
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
 * Reads a form, urlencoded or multipart: `formUnreadable` for too many fields, too many of one name, or a name that is no plain word,
 * `textTooLong`, `uploadBroken` for a body that does not hold together or ends too early. The length of an urlencoded body is the
 * caller's to limit.
 *
 * The request stays open after a refusal, for its answer; what is left of the body is the caller's to drop. Rejects only once every
 * `storeFile` has settled.
 */
export async function readForm(request: Request, options: Options): Promise<FormData> {
  if (/^multipart\//i.test(request.headers["content-type"] ?? "")) return readMultipart(request, options);
  const body = await text(request).catch(() => {
    throw new Refusal("uploadBroken");
  });
  const fields = new URLSearchParams(body);
  if (fields.size > MAX_FIELDS || BROKEN_ESCAPE.test(body)) throw new Refusal("formUnreadable");
  return formOf([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]));
}

function readMultipart(
  request: Request,
  { maxFieldBytes, storeFile, maxPassedOver = Infinity }: Options,
): Promise<FormData> {
  const leftOut: string[] = [];
  const stored: Promise<void>[] = [];
  let passedOver = 0;
  return new Promise((resolve, reject) => {
    let isSettled = false;
    // multer itself answers an error only when the rest of the body has come, which may be a gigabyte.
    const settle = (error?: unknown) => {
      if (isSettled) return;
      isSettled = true;
      request.unpipe();
      void Promise.allSettled(stored).then((outcomes) => {
        const failed = outcomes.find((outcome) => outcome.status === "rejected");
        if (error !== undefined) return reject(error);
        if (failed) return reject(failed.reason);
        try {
          resolve(formOf([...Object.entries(request.body as MultipartBody), ["leftOutFile", leftOut]]));
        } catch (unreadable) {
          reject(unreadable);
        }
      });
    };
    const storage: StorageEngine = {
      _handleFile(_request, { fieldname, originalname, stream }, done) {
        if (!storeFile) {
          leftOut.push(originalname);
          stream.on("data", ({ length }: Buffer) => (passedOver += length) > maxPassedOver && settle());
          return void stream.once("close", () => done(null));
        }
        const storing = storeFile(fieldname, originalname, stream, () => settle());
        stored.push(storing);
        storing.then(() => done(null), settle);
      },
      // Files that have arrived are kept or removed by whoever stores them.
      _removeFile: (_request, _file, done) => done(null),
    };
    const read = multer({
      storage,
      defParamCharset: "utf8",
      limits: {
        fieldNameSize: 100,
        fieldSize: maxFieldBytes,
        fields: MAX_FIELDS,
        files: MAX_FILES,
        parts: MAX_FIELDS + MAX_FILES,
        fieldNestingDepth: 1,
        fieldArrayIndexLimit: 0,
      },
      fileFilter: (_request, { fieldname }, accept) => {
        if (!FLAT_NAME.test(fieldname)) settle(new Refusal("formUnreadable"));
        accept(null, !isSettled);
      },
    }).any();
    read(request, unusedResponse, (error?: unknown) => settle(error && refusalOf(error)));
  });
}

/** multer reads the request alone. */
const unusedResponse = {} as Response;

type MultipartBody = Record<string, unknown>;

/** One name after another. Throws `formUnreadable` for a name that is no plain word, or whose values are more than any form has or no texts. */
function formOf(fields: [name: string, values: unknown][]): FormData {
  const form = new FormData();
  for (const [name, sent] of fields) {
    const values: unknown[] = Array.isArray(sent) ? sent : [sent];
    if (!FLAT_NAME.test(name) || values.length > MAX_OF_ONE_NAME) throw new Refusal("formUnreadable");
    for (const value of values) {
      if (typeof value !== "string") throw new Refusal("formUnreadable");
      form.append(name, value);
    }
  }
  return form;
}

/** What multer says of a body: a limit that it breaks, or that it cannot be read to its end. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof MulterError)) return new Refusal("uploadBroken");
  return new Refusal(error.code === "LIMIT_FIELD_VALUE" ? "textTooLong" : "formUnreadable");
}
