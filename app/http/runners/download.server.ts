import { pipeline, type Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { type ByteRange, FileNotInStore } from "~/gateways/file-store/port";
import { execute, type Operation, plainInput, storeRefusal } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { asciiFileName } from "~/files/file-name";
import { paths } from "~/paths";
import { withBackpressure } from "./backpressure.server";
import type { PortalContext } from "./context.server";
import { refusedPage } from "./refused-page.server";
import { plainPage } from "./plain-page.server";

export interface Download {
  fileName: string;
  mime: string;
  sizeBytes?: number;
  /** `inline` only for content made or checked by the portal. */
  disposition: "inline" | "attachment";
  /** Identifies the bytes; with it and a size ranges are supported. */
  etag?: string;
  /** HTML for our frame; its policy depends on the address (http/express/guard.server.ts). */
  isFramed?: boolean;
  /** @param range inclusive byte positions; only with `etag` and size */
  open(range?: ByteRange): Promise<Readable> | Readable;
  /** Runs once the whole file was sent; not if aborted or broken. */
  onSent?(): Promise<void>;
}

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

function answerTo({ request, context }: LoaderFunctionArgs, error: unknown): unknown {
  if (error instanceof Refusal || error instanceof Response) return refusedPage(request, error);
  context.portal.log.error({ err: error }, "download failed");
  return json({ text: FAILED }, { status: 500, headers: { "Cache-Control": "private, no-store" } });
}

const FAILED = "Noget gik galt hos os. Prøv igen om lidt, eller kontakt support.";

/** Without a surrounding page a browser gets an error page, scripts and API get data. */
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

/** A response whose headers prevent execution and caching. */
export async function fileResponse(
  file: Download,
  args: Pick<LoaderFunctionArgs, "request" | "context">,
): Promise<Response> {
  const response = await streamed(file, args);
  // Nothing in the file may run. Built-in PDF readers do not work with `sandbox`.
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
    // `no-transform`: proxies must not compress byte-counted content.
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
  // A streaming error aborts the response, so that the client notices.
  return new Response(
    withBackpressure(
      pipeline(source, createGzip(), () => undefined),
      context.waitForDrain,
    ),
    { headers },
  );
}

/** An aborted file may end like any other, so the source must have ended too. */
function afterSending(source: Readable, onSent: () => Promise<void>, { portal, afterAnswer }: PortalContext): void {
  afterAnswer(async () => {
    if (!source.readableEnded) return;
    await onSent().catch((error: unknown) => portal.log.error({ err: error }, "work after a download failed"));
  });
}

/** Compressed here with back-pressure; Express's compression buffers everything. */
function isCompressible({ mime, sizeBytes }: Download, request: Request): boolean {
  return (
    sizeBytes === undefined && mime.startsWith("text/") && /\bgzip\b/.test(request.headers.get("Accept-Encoding") ?? "")
  );
}

/** `encodeURIComponent` leaves these four characters, and the quote is a delimiter here. */
const encodedName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The requested range (RFC 9110 §14); null for the whole file: no, several or unknown ranges, or another `etag`. */
export function rangeOf(headers: Headers, sizeBytes: number, etag: string): ByteRange | "unsatisfiable" | null {
  const range = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get("Range")?.trim() ?? "");
  const edition = headers.get("If-Range");
  if (!range || (edition !== null && edition.trim() !== `"${etag}"`)) return null;
  const [from, to] = [range[1]!, range[2]!];
  if (from === "" && to === "") return null;
  // `-500` means the last 500 bytes.
  const start = from === "" ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  return start > end ? "unsatisfiable" : { start, end };
}
