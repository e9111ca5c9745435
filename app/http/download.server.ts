import type { Readable } from "node:stream";
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { execute, type Operation, plainInput } from "~/access/operation.server";
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
    return fileResponse(file, args.request.method === "HEAD");
  } catch (error) {
    throw refusedPage(args.request, error);
  }
}

/** The file with headers under which nothing in it runs in the portal's name. */
export async function fileResponse(file: Download, headOnly: boolean): Promise<Response> {
  const headers = new Headers({
    "Content-Type": file.mime,
    "Content-Disposition": `${file.disposition}; filename="${asciiName(file.fileName)}"; filename*=UTF-8''${encodeURIComponent(file.fileName)}`,
    "Cache-Control": file.cacheSeconds ? `private, max-age=${file.cacheSeconds}` : "private, no-store",
    "X-Content-Type-Options": "nosniff",
    // Whatever the file holds, it runs nothing in the portal's name. PDF readers built into browsers need `sandbox` away.
    "Content-Security-Policy": file.mime === "application/pdf" ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'" : "default-src 'none'; sandbox",
  });
  if (file.sizeBytes !== undefined) headers.set("Content-Length", String(file.sizeBytes));
  if (headOnly) return new Response(null, { headers });
  const stream = await file.open();
  return new Response(createReadableStreamFromReadable(stream), { headers });
}

function asciiName(name: string): string {
  return name.normalize("NFKD").replace(/[^\x20-\x7e]/g, "_").replace(/["\\]/g, "_");
}
