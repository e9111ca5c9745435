import { pipeline, type Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import { paced } from "./paced.server";
import { refusedPage } from "./page.server";

/** A file on its way out. It is opened only after the operation has authorised it. */
export interface Download {
  fileName: string;
  mime: string;
  sizeBytes?: number;
  /** `inline` only for kinds that the portal itself made or checked as images and PDF. */
  disposition: "inline" | "attachment";
  /** For how long the person's own browser may keep it; 0 when absent. */
  cacheSeconds?: number;
  open(): Promise<Readable> | Readable;
}

/** A resource route's loader: authorises first, then streams. */
export async function runDownload<I>(args: LoaderFunctionArgs, operation: Operation<I, Download>, raw: unknown): Promise<Response> {
  try {
    const file = await execute(args.context.portal, await args.context.caller(), operation, plainInput(raw));
    return await fileResponse(file, args);
  } catch (error) {
    throw refusedPage(args.request, error);
  }
}

/** The file with headers under which nothing in it runs in the portal's name. */
export async function fileResponse(file: Download, { request, context }: Pick<LoaderFunctionArgs, "request" | "context">): Promise<Response> {
  const headers = new Headers({
    "Content-Type": file.mime,
    "Content-Disposition": `${file.disposition}; filename="${asciiName(file.fileName)}"; filename*=UTF-8''${encodeURIComponent(file.fileName)}`,
    "Cache-Control": file.cacheSeconds ? `private, max-age=${file.cacheSeconds}` : "private, no-store",
    "X-Content-Type-Options": "nosniff",
    // Whatever the file holds, it runs nothing in the portal's name. PDF readers built into browsers need `sandbox` away.
    "Content-Security-Policy": file.mime === "application/pdf" ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'" : "default-src 'none'; sandbox",
  });
  if (file.sizeBytes !== undefined) headers.set("Content-Length", String(file.sizeBytes));
  if (request.method === "HEAD") return new Response(null, { headers });
  const source = await file.open();
  if (!isSqueezable(file, request)) return new Response(paced(source, context.isLineFree), { headers });
  headers.set("Content-Encoding", "gzip");
  headers.set("Vary", "Accept-Encoding");
  // A fault on the way breaks the answer off, and is the reader's to notice.
  return new Response(paced(pipeline(source, createGzip(), () => undefined), context.isLineFree), { headers });
}

/** Squeezed here, where the pace is kept: Express's own compression takes in whatever it is given. */
function isSqueezable({ mime, sizeBytes }: Download, request: Request): boolean {
  return sizeBytes === undefined && mime.startsWith("text/") && /\bgzip\b/.test(request.headers.get("Accept-Encoding") ?? "");
}

function asciiName(name: string): string {
  return name.normalize("NFKD").replace(/[^\x20-\x7e]/g, "_").replace(/["\\]/g, "_");
}
