import type { DataStore, Server, ServerOptions } from "@tus/server";
import type { Request, RequestHandler, Response } from "express";
import { authorise } from "~/access/authorise.server";
import type { Caller, CommandResult } from "~/access/caller";
import { isOwnTicket, openTicket, otherPersonRefusal } from "~/access/form-ticket.server";
import { execute, plainInput, storeRefusal } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { fileKinds } from "~/files/file-rules";
import { findPartialSize } from "~/files/staging/partial-upload-store.server";
import { receivedBytes } from "~/files/staging/upload-part-store.server";
import { PartConflict, storeParts } from "~/files/staging/upload-parts.server";
import { finishRadiographUpload } from "~/features/referrals/images/finish-upload.server";
import {
  beginRadiographUpload,
  cancelUpload,
  readRadiographUpload,
} from "~/features/referrals/images/upload-radiograph.server";
import { filePaths } from "~/features/referrals/file-paths";
import type { Portal } from "~/portal.server";
import type { PortalContext } from "~/http/runners/context.server";
import { STALE } from "~/http/forms/submitted-form.server";
import { headersOf, refusals, serverError } from "~/http/errors";
import { endWhenSilent } from "./body-timeout.server";

type ServerRequest = Parameters<NonNullable<ServerOptions["namingFunction"]>>[0];

/** Why a complete file was refused, percent-encoded, for answers without a body. */
const REFUSAL_HEADER = "Upload-Refusal";
const FILE_HEADER = "Upload-File";

/**
 * Serves the tus protocol (1.0.0: creation, termination) for images: interrupted uploads resume from the last stored
 * byte in any process. Every request passes through `execute()` before its body is read; the library only moves bytes,
 * and the upload's state is our row.
 */
export function receiveResumableUploads(portal: Portal): RequestHandler {
  let loaded: Promise<Server> | undefined;
  const finishing = new Map<string, Promise<CommandResult>>();

  /** The last part and a retry of it may arrive at once. */
  function finish(caller: Caller, uploadId: string): Promise<CommandResult> {
    const running = finishing.get(uploadId);
    if (running) return running;
    const started = execute(portal, caller, finishRadiographUpload, plainInput({ uploadId })).finally(() =>
      finishing.delete(uploadId),
    );
    finishing.set(uploadId, started);
    return started;
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const caller = await (response.locals.context as PortalContext).caller();
    authorise(portal, caller, beginRadiographUpload.permission);
    const uploadId = request.path.slice(filePaths.uploads.length + 1);
    if (uploadId === "") {
      if (request.method !== "POST") throw new Refusal("notInScope");
    } else {
      if (!/^[0-9a-f]{32}$/.test(uploadId)) throw new Refusal("notInScope");
      const upload = await execute(portal, caller, readRadiographUpload, plainInput({ uploadId }));
      if (request.method === "DELETE") {
        await execute(portal, caller, cancelUpload, plainInput({ uploadId }));
        return void tusHeaders(response).status(204).end();
      }
      if (request.method !== "HEAD" && request.method !== "PATCH") throw new Refusal("notInScope");
      if (upload.received === upload.sizeBytes)
        return ended(request, response, upload.sizeBytes, await finish(caller, uploadId));
    }
    endWhenSilent(request);
    await (await (loaded ??= load())).handle(request, response);
  }

  async function load(): Promise<Server> {
    const tus = await import("@tus/server");
    const callerOf = (request: ServerRequest) =>
      (request.runtime!.node!.res as unknown as Response<unknown, { context: PortalContext }>).locals.context.caller();
    return new tus.Server({
      path: filePaths.uploads,
      datastore: partsAsStore(portal, tus),
      relativeLocation: true,
      allowedOrigins: [],
      maxSize: fileKinds.radiograph.maxBytes,
      async namingFunction(request, metadata) {
        const caller = await callerOf(request);
        await requireOwnPage(portal, caller, metadata?.ticket);
        const { to } = await execute(
          portal,
          caller,
          beginRadiographUpload,
          plainInput({ ...metadata, sizeBytes: request.headers.get("upload-length") }),
        );
        return to!.slice(filePaths.uploads.length + 1);
      },
      async onUploadFinish(request, upload) {
        const { data: found } = await finish(await callerOf(request), upload.id);
        if (typeof found?.refused === "string") throw new Refusal("fileRefused", { text: found.refused });
        return { headers: { [FILE_HEADER]: String(found?.fileId) } };
      },
      onResponseError(_request, thrown) {
        const error = refusalOf(portal, thrown);
        if (error instanceof Refusal)
          return {
            status_code: refusals[error.name].status,
            body: error.text ?? refusals[error.name].text,
            headers: headersOf(error),
          };
        if (!(error instanceof Error)) return undefined;
        portal.log.error({ err: error }, "upload failed");
        return { status_code: 500, body: serverError };
      },
    });
  }

  return (request, response) => {
    response.setHeader("Cache-Control", "no-store");
    answer(request, response).catch((error: unknown) => refuse(portal, request, response, error));
  };
}

/** Throws `otherPerson` for another person's page, and `invalid` without a ticket of this site. */
async function requireOwnPage(portal: Portal, caller: Caller, sealed: string | null | undefined): Promise<void> {
  const ticket = sealed ? openTicket(portal.secrets, sealed) : null;
  if (ticket === null || ticket.site !== caller.site) throw new Refusal("invalid", { text: STALE });
  if (!isOwnTicket(ticket, caller)) throw await otherPersonRefusal(portal.db, caller, ticket);
}

/**
 * A tus store whose bytes are parts in the file store and whose state is in the database, so that any process can
 * continue.
 */
function partsAsStore(portal: Portal, { DataStore: Store, ERRORS, Upload }: typeof import("@tus/server")): DataStore {
  const { db } = portal;
  return Object.assign(new Store(), {
    extensions: ["creation", "termination"],
    async getUpload(id: string) {
      const size = await findPartialSize(db, id);
      if (size === null) throw ERRORS.FILE_NOT_FOUND;
      return new Upload({ id, size, offset: await receivedBytes(db, id) });
    },
    async write(stream: AsyncIterable<Uint8Array>, id: string, offset: number) {
      try {
        return await storeParts(portal, id, stream, offset);
      } catch (error) {
        throw error instanceof PartConflict ? ERRORS.INVALID_OFFSET : error;
      }
    },
  });
}

function ended({ method }: Request, response: Response, size: number, { data: found }: CommandResult): void {
  tusHeaders(response).set({ "Upload-Offset": String(size), "Upload-Length": String(size) });
  if (typeof found?.fileId === "number") response.set(FILE_HEADER, String(found.fileId));
  const refused = typeof found?.refused === "string" ? found.refused : null;
  if (refused === null) return void response.status(method === "HEAD" ? 200 : 204).end();
  // HEAD can only say 'complete' or 'start again', and sending again would not help.
  if (method === "HEAD") return void response.status(200).set(REFUSAL_HEADER, encodeURIComponent(refused)).end();
  response.status(refusals.fileRefused.status).type("text/plain").send(refused);
}

function tusHeaders(response: Response): Response {
  return response.set("Tus-Resumable", "1.0.0");
}

function refusalOf(portal: Portal, error: unknown): unknown {
  const ofStore = storeRefusal(error);
  if (ofStore !== null) portal.log.error({ err: error }, "store failed");
  return ofStore ?? error;
}

function refuse(portal: Portal, request: Request, response: Response, thrown: unknown): void {
  const error = refusalOf(portal, thrown);
  if (!(error instanceof Refusal)) portal.log.error({ err: error }, "upload failed");
  if (response.headersSent || request.socket.destroyed) return;
  const { status, text } = error instanceof Refusal ? refusals[error.name] : { status: 500, text: serverError };
  const shownText = error instanceof Refusal ? (error.text ?? text) : text;
  if (request.method !== "HEAD") response.setHeader("Connection", "close");
  request.resume();
  if (error instanceof Refusal) response.set(headersOf(error));
  tusHeaders(response)
    .status(status)
    .set(REFUSAL_HEADER, encodeURIComponent(shownText))
    .type("text/plain")
    .send(shownText);
}
