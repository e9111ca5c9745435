import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, RequestHandler, Response } from "express";
import { authorise } from "~/access/authorise.server";
import type { Caller, ReceivedFiles } from "~/access/caller";
import type { CommandResult } from "~/access/command-result";
import { pageOfStep, pendingStep } from "~/access/pending-step.server";
import { can } from "~/access/permissions";
import { execute, type Operation, plainInput, type UploadField } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findSessionOwner } from "~/access/session-store.server";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import { sendBill } from "~/features/billing/send-bill.server";
import { uploadLetter, uploadLetterImages } from "~/features/discharge-letters/upload-letter.server";
import { uploadDirectory } from "~/features/directory-import/read-import.server";
import { sanitiseFileName } from "~/files/file-name";
import { stageUploads, type StoredFile } from "~/files/staging/staged-upload-store.server";
import { openUploadRoom, type UploadRoom } from "~/files/staging/upload-quota.server";
import { storeUpload } from "~/files/store-upload.server";
import { saveLetterLogo } from "~/features/message-settings/save-letter-logo.server";
import { editMessage } from "~/features/messages/edit-message.server";
import { writeMessage } from "~/features/messages/write-message.server";
import { addRadiographs } from "~/features/referrals/images/add-radiographs.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { StoreFull } from "~/gateways/file-store/port";
import type { Portal } from "~/portal.server";
import { findCall, formKeyOf } from "~/http/api/api.server";
import { authoriseCall, uploadFieldsOf } from "~/http/api/api-route.server";
import type { PortalContext, ReceivedForm } from "~/http/runners/context.server";
import { refusals } from "~/http/errors";
import { isApi } from "./guard.server";
import { isSmall, readForm } from "~/http/forms/read-form.server";
import { refuseBody } from "./refuse-body.server";
import { endWhenSilent } from "./silent-body.server";
import { paths } from "~/paths";
import { isStoreFull } from "~db/connection.server";

/** Which operations' files a page's forms carry. Any other page refuses a form with files. */
const uploadRoutes: Record<string, Operation<any, unknown>[]> = {
  [paths.wizard]: [savePatient, addRadiographs],
  [paths.sms]: [uploadAppointments],
  [paths.settings]: [uploadAppointments],
  [paths.letterSettings]: [saveLetterLogo],
  [paths.directoryImport]: [uploadDirectory],
  [paths.dischargeLetters]: [uploadLetter, uploadLetterImages],
};
const referralRoutes: [RegExp, Operation<any, unknown>[]][] = [
  [/^\/management\/overview\/\d+$/, [writeMessage, editMessage, sendBill, uploadLetter, uploadLetterImages]],
  [/^\/management\/overview\/\d+\/roentgenbilleder$/, [addRadiographs]],
];

function operationsAt(address: string) {
  const page = address.replace(/\/$/, "");
  return uploadRoutes[page] ?? referralRoutes.find(([ofPage]) => ofPage.test(page))?.[1];
}

/** Text in a form with files: so far beyond the longest clinical text that the form itself says what is too long. */
const LONGEST_FIELD_BYTES = 256 * 1024;

/** Where a form without JavaScript goes first: to sign-in, or to what must be done before anything else. */
function gateBefore({ actor }: Caller, to: string): string | null {
  if (actor.kind === "anonymous") return `${paths.login}?to=${encodeURIComponent(to)}`;
  const step = pendingStep(actor);
  return step && pageOfStep(step, to);
}

/**
 * Reads a form with files before Remix does: who sends it is checked before the first byte of the body, each file is streamed to
 * disk, checked by content and staged for the form. What was refused is told to the operation, so that nothing else is lost.
 */
export function receiveUploads(portal: Portal): RequestHandler {
  return async (request, response, next) => {
    if (
      !["POST", "PUT", "PATCH"].includes(request.method) ||
      !/^multipart\/form-data/i.test(request.headers["content-type"] ?? "")
    )
      return next();
    const context = response.locals.context as PortalContext;
    if (context.form !== null) return next();
    try {
      const caller = await context.caller();
      if (isApi(request.path)) {
        const route = findCall(request.method, request.path);
        authoriseCall(portal, caller, route);
        if (route.body?.type !== "form") throw new Refusal("wrongBody");
        const names = route.body.files;
        context.received = await receiveForm(portal, request, caller, uploadFieldsOf(route), {
          nameOf: (field) => names[field]!,
        });
        context.form = context.received.form;
        return next();
      }
      const ofPage = operationsAt(request.path);
      if (!ofPage) throw new Refusal("notInScope");
      // The same form goes to sign-in, or to what must be done first, where what was typed is kept.
      const address = gateBefore(caller, request.originalUrl);
      if (address !== null && !context.isScripted) {
        if (isSmall(request)) return response.redirect(307, address);
        if (await isKnown(portal, caller)) {
          context.form = await readForm(request, {
            maxFieldBytes: LONGEST_FIELD_BYTES,
            maxPassedOver: MOST_PASSED_OVER,
          });
          leaveTheRest(request, response);
          request.url = request.originalUrl = address;
          return next();
        }
      }
      // A page has forms that only some may send: the fields are those of the others. Who may send none is refused.
      const allowed = ofPage.filter(({ permission }) => can(caller.actor, permission));
      const operations = allowed.length > 0 ? allowed : ofPage;
      for (const operation of operations) authorise(portal, caller, operation.permission);
      const fields = Object.assign({}, ...operations.map((operation) => operation.uploads ?? {})) as Record<
        string,
        UploadField
      >;
      context.received = await receiveForm(portal, request, caller, fields, { isPage: true });
      if (context.received.isCut) leaveTheRest(request, response);
      context.form = context.received.form;
      next();
    } catch (error) {
      refuseBody(portal, request, response, error, "Filerne blev ikke modtaget");
    }
  };
}

/** Reads the body of a caller who may send it; files are staged under the form's key, in the field that `nameOf` says. */
async function receiveForm(
  portal: Portal,
  request: Request,
  caller: Caller,
  fields: Record<string, UploadField>,
  { nameOf = (field: string) => field, isPage = false } = {},
): Promise<ReceivedForm> {
  const refused: ReceivedFiles["refused"] = [];
  endWhenSilent(request);
  const room = await openUploadRoom(
    { db: portal.db, dataDir: portal.config.dataDir },
    caller.actor.kind === "person" ? caller.actor.id : null,
  );
  // No body is read that could not be stored.
  if (Object.keys(fields).length > 0 && !isPage) room.check(Number(request.headers["content-length"] ?? 0));
  const { form, arrived, isCut } = await readBody(portal, request, { fields, refused, room, isPage });
  const formKey = String(form.get("formKey") ?? formKeyOf(request.headers["idempotency-key"]));
  const kept: (StoredFile & { field: string; kind: UploadField["kind"]; place: number })[] = [];
  try {
    for (const { field, fileName, path: incoming, place } of arrived) {
      const { kind } = fields[field]!;
      const result = await storeUpload(portal, incoming, fileName, kind).catch((error: unknown) => ({
        refused: whyNotStored(error, isPage),
        fileName,
      }));
      if ("kept" in result) kept.push({ ...result.kept, field: nameOf(field), kind, place });
      else refused.push({ field, fileName: result.fileName, text: result.refused });
    }
  } finally {
    await Promise.all(arrived.map((file) => rm(file.path, { force: true })));
  }
  const done: CommandResult =
    kept.length > 0 ? await execute(portal, caller, stageUploads, plainInput({ formKey, files: kept })) : {};
  const staged = (done.data?.ids as number[] | undefined) ?? [];
  const refusedByName = refused.map((each) => ({ ...each, field: nameOf(each.field) }));
  return {
    form,
    isCut,
    files: { staged, refused: refusedByName },
    formKey,
    sent: staged.map((id, index) => ({ id, field: kept[index]!.field, place: kept[index]!.place })),
  };
}

/** Bytes of files that are read past to reach the fields after them, where nobody is signed in to keep them for. */
const MOST_PASSED_OVER = 1024 * 1024;

/** Whether what was typed can be sealed for somebody: whoever was never signed in is refused before the body is read. */
const isKnown = async (portal: Portal, { actor, cookieId }: Caller) =>
  actor.kind === "person" || (cookieId !== undefined && (await findSessionOwner(portal.db, cookieId)) !== null);

/** The rest of a long body is not wanted; without this the browser would go on sending it. */
function leaveTheRest(request: Request, response: Response): void {
  response.setHeader("Connection", "close");
  request.unpipe();
  request.resume();
}

/** What is said of a file that could not be stored, where its form can go on without it; throws anything else. */
function whyNotStored(error: unknown, isPage: boolean): string {
  if (isPage && error instanceof Refusal && error.name === "fileTooLarge") return "Filen er for stor.";
  if (isPage && error instanceof Refusal && error.name !== "uploadBroken")
    return error.text ?? refusals[error.name].text;
  if (isPage && (error instanceof StoreFull || isStoreFull(error))) return refusals.storeFull.text;
  throw error;
}

interface BodyRules {
  fields: Record<string, UploadField>;
  refused: ReceivedFiles["refused"];
  room: UploadRoom;
  /** A page's form goes on without a file that could not be stored. */
  isPage: boolean;
}

interface ArrivedFile {
  field: string;
  fileName: string;
  /** Where its bytes wait to be checked. */
  path: string;
  /** Among the files of its field as they were sent. */
  place: number;
}

/** Streams the files of a form to the disk. One that its field does not take is named in `refused`, and does not reach the disk. */
async function readBody(
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
    const incoming: ArrivedFile = { field, fileName, path: path.join(folder, randomUUID()), place };
    arrived.push(incoming);
    let size = 0;
    const storing = pipeline(
      file,
      async function* (chunks: AsyncIterable<Buffer>) {
        if (incoming === arrived[0]) room.check(Number(request.headers["content-length"] ?? 0));
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > largest) throw new Refusal("fileTooLarge");
          if (size > rule.maxBytes) continue;
          room.take(chunk.length);
          yield chunk;
        }
      },
      createWriteStream(incoming.path, { flags: "wx", mode: 0o600 }),
    );
    try {
      await storing;
    } catch (error) {
      // A person keeps what stood before this file, and is told of it beside its field.
      refused.push({ field, fileName, text: whyNotStored(error, isPage) });
      isCut = true;
      stop();
      return drop(incoming);
    }
    if (size <= rule.maxBytes) return;
    refused.push({ field, fileName, text: "Filen er for stor." });
    await drop(incoming);
  };
  try {
    const form = await readForm(request, { maxFieldBytes: LONGEST_FIELD_BYTES, storeFile });
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
