import { createRequire } from "node:module";
import type { Agent, buildConnector, RequestInit, Response } from "undici";

/**
 * No connection came about, so the other side has received nothing of the request. `code` is Node's own, such as `ECONNREFUSED`, `ENOTFOUND`,
 * `CERT_HAS_EXPIRED` or `ERR_SSL_WRONG_VERSION_NUMBER`.
 */
export class NotConnected extends Error {
  constructor(
    readonly code: string,
    cause: unknown,
  ) {
    super(`no connection: ${code}`, { cause });
  }
}

// Loaded with the first request, because it takes 60 ms and 17 MB.
const loadUndici = () => createRequire(import.meta.url)("undici") as typeof import("undici");

let agent: Agent | undefined;

/**
 * Asks a system outside over HTTP. The global `fetch` is Remix's in the web process and Node's in the worker, and their errors differ; this one
 * is undici's in both. Throws `NotConnected` where nothing was sent; after any other error the request may have arrived.
 */
export async function fetchOutside(url: string, init: RequestInit): Promise<Response> {
  const undici = loadUndici();
  agent ??= new undici.Agent({ connect: namingFailures(undici.buildConnector({})) });
  try {
    return await undici.fetch(url, { ...init, dispatcher: agent });
  } catch (error) {
    const { cause } = error as Error;
    throw cause instanceof NotConnected ? cause : error;
  }
}

const namingFailures =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...[error, socket]) =>
      error ? callback(new NotConnected(codeOf(error), error), null) : callback(null, socket!),
    );

/** What an error calls itself, or what caused it; the kind of error where neither has a code. */
export function codeOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown } | undefined; name?: string };
  const named = code ?? cause?.code;
  return typeof named === "string" ? named : (name ?? "Error");
}
