import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request } from "express";
import { intoNewFile } from "~/files/store-file.server";
import type { ReceivedFiles } from "~/access/caller";
import { type UploadField, storeRefusal } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { MAX_SENT_NAME_BYTES, sanitiseFileName } from "~/files/file-name";
import { LONG_NAME_TEXT } from "~/files/file-texts";
import type { UploadRoom } from "~/files/staging/upload-quota.server";
import { refusals } from "~/http/errors";
import { readForm } from "~/http/forms/read-form.server";
import type { Portal } from "~/portal.server";

/** Larger than the longest clinical text, so that the form itself reports what is too long. */
export const MAX_FIELD_BYTES = 256 * 1024;

/** Text for a file that could not be stored when its form can continue; rethrows other errors. */
export function whyNotStored(error: unknown, isPage: boolean): string {
  if (isPage && error instanceof Refusal && error.name === "fileTooLarge") return "Filen er for stor.";
  if (isPage && error instanceof Refusal && error.name !== "uploadBroken")
    return error.text ?? refusals[error.name].text;
  const ofStore = storeRefusal(error);
  if (isPage && ofStore !== null) return refusals[ofStore.name].text;
  throw error;
}

/** Bytes of a too large file that are skipped, so that later fields arrive and the browser reads the answer. */
const MAX_PASSED_OVER_BYTES = 64 * 1024 * 1024;

const TOO_LARGE = { status: 413 as const };

const statusOf = (error: unknown) => {
  const name = error instanceof Refusal ? error.name : storeRefusal(error)?.name;
  if (name === "fileTooLarge") return TOO_LARGE;
  return name === "storeFull" ? { status: 507 as const } : {};
};

/** Stops reading before a refusal breaks the file's stream, which the parser would report as a broken transfer. */
function within(stop: () => void, rule: () => void) {
  try {
    rule();
  } catch (error) {
    stop();
    throw error;
  }
}

interface BodyRules {
  fields: Record<string, UploadField>;
  refused: ReceivedFiles["refused"];
  room: UploadRoom;
  isPage: boolean;
}

interface ArrivedFile {
  field: string;
  fileName: string;
  path: string;
  place: number;
}

/** Streams a form's files to disk. Files a field does not accept are listed in `refused` and never reach the disk. */
export async function readUploadedBody(
  portal: Portal,
  request: Request,
  { fields, refused, room, isPage }: BodyRules,
): Promise<{ form: FormData; arrived: ArrivedFile[]; isCut: boolean }> {
  const folder = path.join(portal.config.dataDir, "incoming");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const largest = Math.max(0, ...Object.values(fields).map((field) => field.maxBytes));
  const arrived: ArrivedFile[] = [];
  const places = new Map<string, number>();
  const tooMany = new Map<string, string[]>();
  let isCut = false;
  const drop = async (file: ArrivedFile) => {
    arrived.splice(arrived.indexOf(file), 1);
    await rm(file.path, { force: true });
  };
  const storeFile = async (field: string, fileName: string, file: Readable, stop: () => void) => {
    const rule = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const place = places.get(field) ?? 0;
    places.set(field, place + 1);
    if (rule && place >= rule.maxFiles) tooMany.set(field, [...(tooMany.get(field) ?? []), fileName]);
    if (!rule || place >= rule.maxFiles) return void file.resume();
    if (Buffer.byteLength(fileName) > MAX_SENT_NAME_BYTES) {
      refused.push({ field, fileName: sanitiseFileName(fileName), text: LONG_NAME_TEXT });
      return void file.resume();
    }
    const incoming: ArrivedFile = { field, fileName, path: path.join(folder, randomUUID()), place };
    arrived.push(incoming);
    let size = 0;
    const storing = pipeline(
      file,
      async function* (chunks: AsyncIterable<Buffer>) {
        if (incoming === arrived[0]) within(stop, () => room.check(Number(request.headers["content-length"] ?? 0)));
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > largest + (isPage ? MAX_PASSED_OVER_BYTES : 0)) {
            within(stop, () => {
              throw new Refusal("fileTooLarge");
            });
          }
          if (size > rule.maxBytes) continue;
          within(stop, () => room.take(chunk.length));
          yield chunk;
        }
      },
      intoNewFile(incoming.path),
    );
    try {
      await storing;
    } catch (error) {
      // Fields before this file are kept, and the refusal is shown at its field.
      refused.push({ field, fileName, text: whyNotStored(error, isPage), ...statusOf(error) });
      isCut = true;
      stop();
      return drop(incoming);
    }
    if (size <= rule.maxBytes) return;
    refused.push({ field, fileName, text: refusals.fileTooLarge.text, ...TOO_LARGE });
    await drop(incoming);
  };
  try {
    const form = await readForm(request, { maxFieldBytes: MAX_FIELD_BYTES, storeFile });
    for (const [field, names] of tooMany) {
      const again =
        names.length === 1 ? "Vælg den igen, når de første er modtaget." : "Vælg dem igen, når de første er modtaget.";
      refused.push({
        field,
        fileName: names.map(sanitiseFileName).join(", "),
        count: names.length,
        text: `Der kan højst sendes ${fields[field]!.maxFiles} ${fields[field]!.maxFiles === 1 ? "fil" : "filer"} ad gangen. ${again}`,
      });
    }
    return { form, arrived, isCut };
  } catch (error) {
    await Promise.all(arrived.map((file) => rm(file.path, { force: true })));
    throw error;
  }
}
