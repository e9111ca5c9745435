import { execute, type Operation, plainInput, type UploadField } from "~/access/operation.server";
import { paths } from "~/paths";
import { rm } from "node:fs/promises";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import type { Request, RequestHandler, Response } from "express";
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
import { sanitiseFileName } from "~/files/file-name";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import type { NewStoredFile } from "~/files/stored-file-store.server";
import { openUploadRoom, type UploadRoom } from "~/files/staging/upload-quota.server";
import { storeUpload } from "~/files/store-file.server";
import type { Portal } from "~/portal.server";
import { findCall, formKeyOf } from "~/http/api/api.server";
import { authoriseCall, uploadFieldsOf } from "~/http/api/api-route.server";
import type { PortalContext, ReceivedForm } from "~/http/runners/context.server";
import { isApi } from "./guard.server";
import { isSmall, readForm } from "~/http/forms/read-form.server";
import { refuseBody } from "./refuse-body.server";
import { endWhenSilent } from "./body-timeout.server";
import { MAX_FIELD_BYTES, readUploadedBody, whyNotStored } from "./uploaded-body.server";

/** A route's `uploads`: operations of its action whose files are read. Other pages refuse forms with files. */
type UploadOperations = Operation<any, unknown>[];

/** Finds the `uploads` export of the route that an address shows, in the build's route modules. */
function uploadFinder(routes: ServerBuild["routes"]): (address: string) => UploadOperations | undefined {
  const under = (parentId: string | undefined): Parameters<typeof matchRoutes>[0] =>
    Object.values(routes)
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: under(id) }));
  const tree = under(undefined);
  return (address) => {
    const shown = matchRoutes(tree, address)?.at(-1)?.route.id;
    const route = shown === undefined ? undefined : routes[shown];
    return (route?.module as { uploads?: UploadOperations } | undefined)?.uploads;
  };
}

/** Redirect of a form without JavaScript: sign-in, or a pending step. */
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
  { nameOf = (field: string) => field, isPage = false } = {},
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
  const formKey = String(
    form.get("formKey") ?? (ticket === null ? formKeyOf(request.headers["idempotency-key"]) : stagingKey(ticket, form)),
  );
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
          : storeUpload(portal, incoming, fileName, kind)
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
  const { accepted, refused, refusal } = await unpackArchive(portal, incoming, room, quota);
  const fileName = sanitiseFileName(archiveName);
  const refusals = groupRefusals(refused).map(({ names, text, count }) => ({
    fileName: `${fileName}, ${names}`,
    text,
    count,
  }));
  return { accepted, refusals: refusals.length === 0 && refusal !== null ? [{ fileName, text: refusal }] : refusals };
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
