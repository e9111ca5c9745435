import { rm, mkdir } from "node:fs/promises";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import type { Request, RequestHandler, Response } from "express";
import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { execute, type Operation, plainInput, type UploadField, storeRefusal } from "~/access/operation.server";
import { paths } from "~/paths";
import { hasAccount } from "~/access/actor";
import { authorise, pageOfStep, pendingStep } from "~/access/authorise.server";
import type { Caller, ReceivedFiles, CommandResult } from "~/access/caller";
import { isOwnTicket, stagingKey, ticketIn } from "~/access/form-ticket.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { findSessionOwner } from "~/access/session-store.server";
import { groupRefusals, isArchive } from "~/files/archive/archive-rules";
import { unpackArchive } from "~/files/archive/unpack-archive.server";
import { openUnpackQuota } from "~/files/archive/unpack-quota-store.server";
import { turnOfPerson } from "~/files/reading/reader-job";
import { sanitiseFileName, MAX_SENT_NAME_BYTES } from "~/files/file-name";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import type { NewStoredFile } from "~/files/stored-file-store.server";
import { openUploadRoom, type UploadRoom } from "~/files/staging/upload-quota.server";
import { storeUpload } from "~/files/store-file.server";
import { intoNewFile } from "~/streams/new-file.server";
import type { Portal } from "~/portal.server";
import { findCall, formKeyOf } from "~/http/api/api.server";
import { authoriseCall, uploadFieldsOf } from "~/http/api/api-route.server";
import type { PortalContext, ReceivedForm } from "~/http/runners/context.server";
import { isApi } from "./guard.server";
import { isSmall, readForm } from "~/http/forms/read-form.server";
import { refuseBody } from "./receive-forms.server";
import { endWhenSilent } from "./body-timeout.server";
import { LONG_NAME_TEXT } from "~/files/file-texts";
import { refusals } from "~/http/errors";

/** A route's `uploads`: operations of its action whose files are read. Other pages refuse forms with files. */
type UploadOperations = Operation<any, unknown>[];

/** Finds the `uploads` export of the route that an address shows, in the build's route modules. */
function uploadFinder(routes: ServerBuild["routes"]): (address: string) => UploadOperations | undefined {
  const under = (parentId: string | undefined): Parameters<typeof matchRoutes>[0] =>
    Object.values(routes)
      .filter((route) => route.parentId === parentId)
      .map(({ id, index, ...route }) =>
        index ? { id, index, path: route.path } : { id, path: route.path, children: under(id) },
      );
  const tree = under(undefined);
  return (address) => {
    const shown = matchRoutes(tree, address)?.at(-1)?.route.id;
    const route = shown === undefined ? undefined : routes[shown];
    return (route?.module as { uploads?: UploadOperations } | undefined)?.uploads;
  };
}

function interceptPage({ actor }: Caller, to: string): string | null {
  if (actor.kind === "anonymous") return `${paths.login}?to=${encodeURIComponent(to)}`;
  const step = pendingStep(actor);
  return step && pageOfStep(step, to);
}

/**
 * Reads a form with files before Remix: authorises before the first byte, streams files to disk, checks content, and
 * stages them. Refusals are passed to the operation, so that nothing else is lost.
 */
export function receiveUploads(portal: Portal, routes: ServerBuild["routes"]): RequestHandler {
  const uploadsAt = uploadFinder(routes);
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
          formKey: formKeyOf(request.headers["idempotency-key"]),
        });
        context.form = context.received.form;
        return next();
      }
      const ofPage = uploadsAt(request.path);
      if (!ofPage) throw new Refusal("notInScope");
      const readText = () => readForm(request, { maxFieldBytes: MAX_FIELD_BYTES, maxPassedOver: MAX_SKIPPED_BYTES });
      // The form is sent on to sign-in or the pending step, which keeps its text.
      const address = interceptPage(caller, request.originalUrl);
      if (address !== null && !context.isScripted) {
        if (isSmall(request)) return response.redirect(307, address);
        if (await isKnown(portal, caller)) {
          context.form = await readText();
          closeConnectionAfterAnswer(request, response);
          request.url = request.originalUrl = address;
          return next();
        }
      }
      // Only files of permitted operations are accepted. Someone without any is refused after the ticket's owner is
      // checked: another person's text is sealed for them.
      const allowed = ofPage.filter(({ permission }) => can(caller.actor, permission));
      if (allowed.length === 0 && hasAccount(caller.actor) && isSmall(request)) {
        context.form = await readText();
        return next();
      }
      const operations = allowed.length > 0 ? allowed : ofPage;
      for (const operation of operations) authorise(portal, caller, operation.permission);
      const fields = Object.assign({}, ...operations.map((operation) => operation.uploads ?? {})) as Record<
        string,
        UploadField
      >;
      context.received = await receiveForm(portal, request, caller, fields, { isPage: true });
      if (context.received.isCut) closeConnectionAfterAnswer(request, response);
      context.form = context.received.form;
      next();
    } catch (error) {
      refuseBody(portal, request, response, error, "Filerne blev ikke modtaget");
    }
  };
}

async function receiveForm(
  portal: Portal,
  request: Request,
  caller: Caller,
  fields: Record<string, UploadField>,
  { nameOf = (field: string) => field, formKey: ownKey = "", isPage = false } = {},
): Promise<ReceivedForm> {
  const refused: ReceivedFiles["refused"] = [];
  endWhenSilent(request);
  const personId = hasAccount(caller.actor) ? caller.actor.id : null;
  const room = await openUploadRoom({ db: portal.db, dataDir: portal.config.dataDir }, personId);
  if (Object.keys(fields).length > 0 && !isPage) room.check(Number(request.headers["content-length"] ?? 0));
  const { form, arrived, isCut } = await readUploadedBody(portal, request, { fields, refused, room, isPage });
  const ticket = isPage ? (ticketIn(portal.secrets, caller.site, form) ?? "stale") : null;
  if (ticket === "stale" || (ticket !== null && !isOwnTicket(ticket, caller))) {
    // The action reports it; nothing is kept for somebody else.
    await Promise.all(arrived.map((file) => rm(file.path, { force: true })));
    for (const { fileName } of arrived) form.append("leftOutFile", fileName);
    return { form, isCut, files: { staged: [], refused: [] }, formKey: "", sent: [] };
  }
  const formKey = String(form.get("formKey") ?? (ticket === null ? ownKey : stagingKey(ticket, form)));
  // The ticket determines the referral, not the form.
  const { referralId } = ticket?.fields ?? {};
  const of = { personId, referralId: typeof referralId === "number" ? referralId : null };
  const accepted: (NewStoredFile & { field: string; kind: UploadField["kind"]; place: number })[] = [];
  try {
    for (const { field, fileName, path: incoming, place } of arrived) {
      const { kind, unpacks } = fields[field]!;
      const result = await (
        isPage && unpacks && isArchive(fileName)
          ? unpackForm(portal, incoming, fileName, room, of)
          : storeUpload(portal, incoming, fileName, kind, { requestedBy: turnOfPerson(personId) })
      ).catch((error: unknown) => ({ refused: whyNotStored(error, isPage), fileName }));
      if ("accepted" in result)
        accepted.push(...[result.accepted].flat().map((file) => ({ ...file, field: nameOf(field), kind, place })));
      if ("refusals" in result) refused.push(...result.refusals.map((each) => ({ field, ...each })));
      if ("refused" in result) refused.push({ field, fileName: result.fileName, text: result.refused });
    }
  } finally {
    await Promise.all(arrived.map((file) => rm(file.path, { force: true })));
  }
  const done: CommandResult =
    accepted.length > 0 ? await execute(portal, caller, stageUploads, plainInput({ formKey, files: accepted })) : {};
  const staged = (done.data?.ids as number[] | undefined) ?? [];
  const refusedByName = refused.map((each) => ({ ...each, field: nameOf(each.field) }));
  return {
    form,
    isCut,
    files: { staged, refused: refusedByName },
    formKey,
    sent: staged.map((id, index) => ({ id, field: accepted[index]!.field, place: accepted[index]!.place })),
  };
}

/** Unpacks a form's ZIP into images, with one line per reason for refused files. */
async function unpackForm(
  portal: Portal,
  incoming: string,
  archiveName: string,
  room: UploadRoom,
  of: Parameters<typeof openUnpackQuota>[1],
) {
  const quota = await openUnpackQuota(portal.db, of, portal.clock.now());
  const { accepted, refused, refusal } = await unpackArchive(portal, incoming, {
    room,
    quota,
    requestedBy: turnOfPerson(of.personId),
  });
  const fileName = sanitiseFileName(archiveName);
  const refusedFiles = groupRefusals(refused).map(({ names, text, count }) => ({
    fileName: `${fileName}, ${names}`,
    text,
    count,
  }));
  return {
    accepted,
    refusals: refusedFiles.length === 0 && refusal !== null ? [{ fileName, text: refusal }] : refusedFiles,
  };
}

/** Bytes of files skipped to reach later fields when nobody is signed in. */
const MAX_SKIPPED_BYTES = 1024 * 1024;

/** Whether text can be sealed for somebody; requests without any session are refused unread. */
const isKnown = async (portal: Portal, { actor, cookieId }: Caller) =>
  actor.kind === "person" || (cookieId !== undefined && (await findSessionOwner(portal.db, cookieId)) !== null);

/** Closing stops the browser from sending the rest. */
function closeConnectionAfterAnswer(request: Request, response: Response): void {
  response.setHeader("Connection", "close");
  request.unpipe();
  request.resume();
}

/** Larger than the longest clinical text, so that the form itself reports what is too long. */
const MAX_FIELD_BYTES = 256 * 1024;

/** Text for a file that could not be stored when its form can continue; rethrows other errors. */
function whyNotStored(error: unknown, isPage: boolean): string {
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
