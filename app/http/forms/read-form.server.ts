import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Request } from "express";
import multer, { MulterError, type StorageEngine } from "multer";
import { Refusal } from "~/access/refusal";

/** The longest form has 1,000 selected referrals and other fields. */
const MAX_FIELDS = 2_000;
/** One more than any list, so that the list's own rule reports the excess. */
const MAX_OF_ONE_NAME = 1_001;
const MAX_FILES = 5_000;
/** Plain names; the API also accepts `Field[]`. Paths in names would be expanded by the parser. */
const FLAT_NAME = /^[A-Za-z]\w{0,60}(\[\])?$/;

/** Browsers never send this; `URLSearchParams` would accept it literally. */
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;

/** Maximum size of a form without files that is read after the session expired, to restore its text. */
const SMALL_FORM_BYTES = 256 * 1024;
export const isSmall = (request: Request) => Number(request.headers["content-length"] ?? Infinity) <= SMALL_FORM_BYTES;

interface Options {
  maxFieldBytes: number;
  /**
   * Stores a file and settles at the end of its stream, or stops reading, leaving the form incomplete. Absent: files
   * are skipped and named in `leftOutFile`.
   */
  storeFile?: (field: string, fileName: string, file: Readable, stop: () => void) => Promise<void>;
  maxPassedOver?: number;
}

/**
 * Parses a urlencoded or multipart form. Throws `formUnreadable` (too many fields or repetitions, bad names),
 * `textTooLong`, `uploadBroken` (malformed or truncated). The caller limits urlencoded bodies and drops the rest of the
 * body. Rejects after every `storeFile` has settled.
 */
export async function readForm(request: Request, options: Options): Promise<FormData> {
  if (/^multipart\//i.test(request.headers["content-type"] ?? "")) return readMultipart(request, options);
  const body = await text(request).catch(() => {
    throw new Refusal("uploadBroken");
  });
  const fields = new URLSearchParams(body);
  if (fields.size > MAX_FIELDS || BROKEN_ESCAPE.test(body)) throw new Refusal("formUnreadable");
  const values = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const before = values.get(name);
    if (before) before.push(value);
    else values.set(name, [value]);
  }
  return formOf([...values]);
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
    // multer reports an error only after the whole body, which may be a gigabyte.
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
      // `storeFile` keeps or removes its files itself.
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
    read(request, request.res!, (error?: unknown) => settle(error && refusalOf(error)));
  });
}

type MultipartBody = Record<string, unknown>;

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

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof MulterError)) return new Refusal("uploadBroken");
  return new Refusal(error.code === "LIMIT_FIELD_VALUE" ? "textTooLong" : "formUnreadable");
}
