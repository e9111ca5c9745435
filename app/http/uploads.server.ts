import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Request, RequestHandler, Response } from "express";
import multer, { MulterError } from "multer";
import { authorise, type Caller, execute, type Operation, plainInput, type ReceivedFiles, type UploadField } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import { holdUploads, type StoredFile } from "~/features/images/held-uploads.server";
import { keepFile } from "~/features/images/keep-file.server";
import { editMessage } from "~/features/messages/edit-message.server";
import { writeMessage } from "~/features/messages/write-message.server";
import { addRadiographs } from "~/features/referrals/add-radiographs.server";
import { savePatient } from "~/features/referrals/save-patient.server";
import { isStoreFull } from "~db/connection.server";
import { StoreFull } from "~/gateways/file-store/port";
import type { Portal } from "~/portal.server";
import type { FormAnswer } from "./command.server";
import { findCall, formKeyOf } from "./api.server";
import { authoriseCall, uploadFieldsOf } from "./api-route.server";
import type { PortalContext, ReceivedForm } from "./context.server";
import { refusals } from "./errors";
import { ANY_FORM } from "./form-answer";
import { isApi, refusePlainly } from "./guard.server";
import { paths } from "~/paths";

/** Which operations' files a page's forms carry. Any other page refuses a form with files. */
const uploadRoutes: Record<string, Operation<any, unknown>[]> = {
  [paths.wizard]: [savePatient, addRadiographs],
  [paths.appointments]: [uploadAppointments],
};
const referralRoutes: [RegExp, Operation<any, unknown>[]][] = [
  [/^\/management\/overview\/\d+$/, [writeMessage, editMessage]],
  [/^\/management\/overview\/\d+\/roentgenbilleder$/, [addRadiographs]],
];

function operationsAt(address: string) {
  const page = address.replace(/\/$/, "");
  return uploadRoutes[page] ?? referralRoutes.find(([ofPage]) => ofPage.test(page))?.[1];
}

/** Text in a form with files: so far beyond the longest clinical text that the form itself says what is too long. */
const LONGEST_FIELD_BYTES = 256 * 1024;
/** A form without files is no larger than this. When its session has run out, it is read after all, and what was typed is kept. */
const SMALL_FORM_BYTES = 256 * 1024;
const isSmall = (request: Request) => Number(request.headers["content-length"] ?? Infinity) <= SMALL_FORM_BYTES;
/** A line that says nothing for this long is broken. */
const SILENCE_MS = 120_000;

/**
 * Reads a form with files before Remix does: who sends it is checked before the first byte of the body, each file is streamed to
 * disk, checked by content and held for the form. What was refused is told to the operation, so that nothing else is lost.
 */
export function receiveUploads(portal: Portal): RequestHandler {
  return async (request, response, next) => {
    if (!["POST", "PUT", "PATCH"].includes(request.method) || !/^multipart\/form-data/i.test(request.headers["content-type"] ?? "")) return next();
    if (isSmall(request) && (request.path === paths.login || request.path === paths.terms)) return next();
    try {
      const context = response.locals.context as PortalContext;
      const caller = await context.caller();
      if (isApi(request.path)) {
        const route = findCall(request.method, request.path);
        authoriseCall(portal, caller, route);
        if (route.body?.type !== "form") throw new Refusal("wrongBody");
        const names = route.body.files;
        context.received = await receiveForm(portal, request, response, caller, uploadFieldsOf(route), (field) => names[field]!);
        return next();
      }
      const operations = operationsAt(request.path);
      if (!operations) throw new Refusal("notInScope");
      // The same form goes to sign-in, or to the new conditions, where what was typed is kept.
      const gate = caller.actor.kind === "anonymous" ? paths.login : caller.actor.kind === "person" && caller.actor.mustAcceptConditions ? paths.terms : null;
      if (gate !== null && isSmall(request) && !context.isScripted) return response.redirect(307, `${gate}?to=${encodeURIComponent(request.originalUrl)}`);
      for (const operation of operations) authorise(portal, caller, operation.permission);
      const fields = Object.assign({}, ...operations.map((operation) => operation.uploads ?? {})) as Record<string, UploadField>;
      context.received = await receiveForm(portal, request, response, caller, fields);
      next();
    } catch (error) {
      refuseUpload(portal, request, response, error);
    }
  };
}

/** Reads the body of a caller who may send it; files are held under the form's key, in the field that `nameOf` says. */
async function receiveForm(portal: Portal, request: Request, response: Response, caller: Caller, fields: Record<string, UploadField>, nameOf = (field: string) => field): Promise<ReceivedForm> {
  const folder = path.join(portal.config.dataDir, "incoming");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const refused: ReceivedFiles["refused"] = [];
  request.socket.setTimeout(SILENCE_MS, () => request.destroy());
  const arrived = await readBody(request, response, folder, fields, refused);
  request.socket.setTimeout(0);
  const form = formOf(request.body as Record<string, unknown>);
  const formKey = String(form.get("formKey") ?? formKeyOf(request.headers["idempotency-key"]));
  const kept: (StoredFile & { field: string; kind: UploadField["kind"]; place: number })[] = [];
  const places = new Map<string, number>();
  for (const file of arrived) {
    const field = fields[file.fieldname]!;
    const place = places.get(file.fieldname) ?? 0;
    places.set(file.fieldname, place + 1);
    try {
      const result = await keepFile(portal, file.path, file.originalname, field.kind);
      if ("kept" in result) kept.push({ ...result.kept, field: nameOf(file.fieldname), kind: field.kind, place });
      else refused.push({ field: file.fieldname, fileName: result.fileName, text: result.refused });
    } finally {
      await rm(file.path, { force: true });
    }
  }
  const done = kept.length > 0 ? await execute(portal, caller, holdUploads, plainInput({ formKey, files: kept })) : {};
  const held = (done.found?.ids as number[] | undefined) ?? [];
  const refusedByName = refused.map((each) => ({ ...each, field: nameOf(each.field) }));
  return { form, files: { held, refused: refusedByName }, formKey, sent: held.map((id, index) => ({ id, field: kept[index]!.field, place: kept[index]!.place })) };
}

function readBody(request: Request, response: Response, folder: string, fields: Record<string, UploadField>, refused: ReceivedFiles["refused"]) {
  const upload = multer({
    storage: multer.diskStorage({ destination: folder, filename: (_request, _file, done) => done(null, randomUUID()) }),
    limits: {
      fileSize: Math.max(0, ...Object.values(fields).map((field) => field.maxBytes)),
      files: Object.values(fields).reduce((sum, field) => sum + field.maxFiles, 0),
      fieldSize: LONGEST_FIELD_BYTES,
      fields: 200,
      parts: 400,
    },
    defParamCharset: "utf8",
    fileFilter: (_request, file, done) => done(null, Boolean(fields[file.fieldname]) && file.originalname !== ""),
  }).any();
  return new Promise<Express.Multer.File[]>((resolve, reject) => {
    upload(request, response, (error: unknown) => {
      const files = (request.files as Express.Multer.File[] | undefined) ?? [];
      if (error) {
        void Promise.all(files.map((file) => rm(file.path, { force: true }))).finally(() => reject(error));
        return;
      }
      const fit: Express.Multer.File[] = [];
      for (const file of files) {
        const field = fields[file.fieldname]!;
        if (file.size <= field.maxBytes) fit.push(file);
        else {
          refused.push({ field: file.fieldname, fileName: file.originalname, text: "Filen er for stor." });
          void rm(file.path, { force: true });
        }
      }
      resolve(fit);
    });
  });
}

function formOf(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, String(each));
  }
  return form;
}

function refuseUpload(portal: Portal, request: Request, response: Response, error: unknown): void {
  const refusal = refusalOf(error);
  if (refusal === null) portal.log.error({ err: error }, "upload failed");
  const { status, text } = refusal ? refusals[refusal.name] : { status: 500, text: "Overførslen mislykkedes. Prøv igen om lidt." };
  if (response.headersSent || request.socket.destroyed) return;
  // The rest of a long body is not wanted; without this the browser would go on sending it. A short one is read to its end: whoever still
  // sends when the line is closed never reads the answer.
  if (!isSmall(request)) response.setHeader("Connection", "close");
  request.unpipe();
  request.resume();
  if (isApi(request.path)) {
    const errors = refusal?.fields ?? {};
    response.status(status).set("Cache-Control", "no-store").json({ message: refusal?.text ?? text, errors });
    return;
  }
  // A script's request is answered in its own terms, or Remix would replace the page and all that was typed into it.
  if (typeof request.query._data === "string") {
    const answer: FormAnswer = { formId: ANY_FORM, submission: { status: "error", error: { "": [text] } }, ...(refusal ? { refusal: refusal.name } : {}) };
    response.status(status).set({ "Cache-Control": "no-store", "X-Remix-Response": "yes" }).json(answer);
    return;
  }
  const hint = refusal?.name === "notSignedIn" ? "Log ind i et nyt vindue, gå tilbage til formularen og send den igen." : "Gå tilbage: det, du skrev, står der endnu.";
  refusePlainly(response, status, "Filerne blev ikke modtaget", `${text} ${hint}`, portal.config.productName);
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof MulterError && error.code === "LIMIT_FIELD_VALUE") return new Refusal("textTooLong");
  if (error instanceof MulterError) return new Refusal(error.code === "LIMIT_FILE_SIZE" ? "fileTooLarge" : "uploadBroken");
  if (error instanceof StoreFull || isStoreFull(error)) return new Refusal("storeFull");
  if (error instanceof Error && /aborted|Unexpected end of form|Malformed part|Multipart: Boundary/i.test(error.message)) return new Refusal("uploadBroken");
  return null;
}
