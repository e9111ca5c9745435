import { pipeline, type Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { json, type LoaderFunctionArgs } from "@remix-run/node";
import type { ByteRange } from "~/gateways/file-store/port";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import { rangeOf } from "./byte-range";
import { Refusal } from "~/access/refusal";
import { storeRefusal } from "~/access/store-refusal.server";
import { FileNotInStore } from "~/gateways/file-store/port";
import { asciiFileName } from "~/files/file-name";
import { paths } from "~/paths";
import { withBackpressure } from "./backpressure.server";
import type { PortalContext } from "./context.server";
import { refusedPage } from "./page.server";
import { plainPage } from "./plain-page.server";

/** A file to be sent. It is opened only after the operation has authorised it. */
export interface Download {
  fileName: string;
  mime: string;
  sizeBytes?: number;
  /** `inline` only for kinds that the portal itself made or checked as images and PDF. */
  disposition: "inline" | "attachment";
  /** Identifies these bytes. With it and a size, a range can be requested. */
  etag?: string;
  /** HTML for a frame of ours: its policy goes by its address (http/express/guard.server.ts). */
  isFramed?: boolean;
  /** @param range byte positions, both included; only asked for where there is an `etag` and a size. */
  open(range?: ByteRange): Promise<Readable> | Readable;
  /** Runs once the connection has taken the whole file, and not at all when it was cut, or the file broke off. */
  onSent?(): Promise<void>;
}

/** A resource route's loader: authorises first, then streams. */
export async function runDownload<I>(
  args: LoaderFunctionArgs,
  operation: Operation<I, Download>,
  raw: unknown,
  { goBack = { href: paths.overview, text: "Til oversigten" } }: { goBack?: { href: string; text: string } } = {},
): Promise<Response> {
  try {
    const file = await execute(args.context.portal, await args.context.caller(), operation, plainInput(raw));
    return await fileResponse(file, args);
  } catch (error) {
    const ofStore = storeRefusal(error);
    if (ofStore !== null) args.context.portal.log.error({ err: error }, "store failed");
    const refusal = error instanceof FileNotInStore ? new Refusal("fileMissing") : (ofStore ?? error);
    throw await asPersonReads(args, answerTo(args, refusal), goBack);
  }
}

/** The response to a refusal; for an unexpected error it says only that there was one. */
function answerTo({ request, context }: LoaderFunctionArgs, error: unknown): unknown {
  if (error instanceof Refusal || error instanceof Response) return refusedPage(request, error);
  context.portal.log.error({ err: error }, "download failed");
  return json({ text: FAILED }, { status: 500, headers: { "Cache-Control": "private, no-store" } });
}

const FAILED = "Noget gik galt hos os. Prøv igen om lidt, eller kontakt support.";

/** A file has no page around it that could say why it is not there: a browser that was sent here gets a page, scripts and the API get data. */
async function asPersonReads(
  { request, context }: LoaderFunctionArgs,
  refused: unknown,
  goOn: { href: string; text: string },
): Promise<unknown> {
  const isPerson = /\btext\/html\b/.test(request.headers.get("Accept") ?? "");
  if (!isPerson || !(refused instanceof Response) || refused.status < 400) return refused;
  const { text } = (await refused.json()) as { text: string };
  const retryAfter = refused.headers.get("Retry-After");
  const page = plainPage({
    title: refused.status === 500 ? "!!! SERVER ERROR !!!" : "Filen kan ikke hentes",
    text,
    productName: context.portal.config.productName,
    nonce: context.nonce,
    goOn,
  });
  return new Response(page, {
    status: refused.status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "private, no-store",
      ...(retryAfter === null ? {} : { "Retry-After": retryAfter }),
    },
  });
}

/** The file with headers under which nothing in it runs in the portal's name, and no browser keeps it. */
export async function fileResponse(
  file: Download,
  args: Pick<LoaderFunctionArgs, "request" | "context">,
): Promise<Response> {
  const response = await streamed(file, args);
  // Whatever the file holds, it runs nothing in the portal's name. PDF readers built into browsers need `sandbox` away.
  if (!file.isFramed)
    args.context.replacePolicy(
      file.mime === "application/pdf"
        ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        : "default-src 'none'; sandbox; frame-ancestors 'none'",
    );
  return response;
}

async function streamed(
  file: Download,
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
): Promise<Response> {
  const headers = new Headers({
    "Content-Type": file.mime,
    "Content-Disposition": `${file.disposition}; filename="${asciiFileName(file.fileName).replace(/["\\]/g, "_")}"; filename*=UTF-8''${encodedName(file.fileName)}`,
    // `no-transform`: no proxy may compress what is counted in bytes.
    "Cache-Control": `private, no-store${file.etag ? ", no-transform" : ""}`,
  });
  if (file.etag) headers.set("ETag", `"${file.etag}"`);
  if (file.sizeBytes !== undefined) headers.set("Content-Length", String(file.sizeBytes));
  const canBeParted = file.etag !== undefined && file.sizeBytes !== undefined;
  if (canBeParted) headers.set("Accept-Ranges", "bytes");
  if (request.method === "HEAD") return new Response(null, { headers });
  const range = canBeParted ? rangeOf(request.headers, file.sizeBytes!, file.etag!) : null;
  if (range === "unsatisfiable") {
    headers.set("Content-Range", `bytes */${file.sizeBytes}`);
    headers.delete("Content-Length");
    headers.delete("Content-Disposition");
    return new Response(null, { status: 416, headers });
  }
  if (range !== null) {
    headers.set("Content-Range", `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
    headers.set("Content-Length", String(range.end - range.start + 1));
    return new Response(withBackpressure(await file.open(range), context.waitForDrain), { status: 206, headers });
  }
  const source = await file.open();
  if (file.onSent) afterSending(source, file.onSent, context);
  if (!isCompressible(file, request)) return new Response(withBackpressure(source, context.waitForDrain), { headers });
  headers.set("Content-Encoding", "gzip");
  headers.set("Vary", "Accept-Encoding");
  // An error while streaming aborts the answer, so that the client notices.
  return new Response(
    withBackpressure(
      pipeline(source, createGzip(), () => undefined),
      context.waitForDrain,
    ),
    { headers },
  );
}

/** The answer of a file that broke off may end like any other, so its source has to have ended as well. */
function afterSending(source: Readable, onSent: () => Promise<void>, { portal, afterAnswer }: PortalContext): void {
  afterAnswer(async () => {
    if (!source.readableEnded) return;
    await onSent().catch((error: unknown) => portal.log.error({ err: error }, "work after a download failed"));
  });
}

/** Compressed here, where backpressure is applied: Express's own compression buffers whatever it is given. */
function isCompressible({ mime, sizeBytes }: Download, request: Request): boolean {
  return (
    sizeBytes === undefined && mime.startsWith("text/") && /\bgzip\b/.test(request.headers.get("Accept-Encoding") ?? "")
  );
}

/** `encodeURIComponent` leaves these four alone; a quotation mark of this kind parts the name from its coding. */
const encodedName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
