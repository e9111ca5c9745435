import { createRequire } from "node:module";
import type { Agent, buildConnector, RequestInit, Response } from "undici";

/**
 * No connection was made, so nothing was received. `code` is Node's, e.g. `ECONNREFUSED`, `ENOTFOUND`,
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

const loadUndici = () => createRequire(import.meta.url)("undici") as typeof import("undici");

let agent: Agent | undefined;

/**
 * Sends an HTTP request to an outside system. Throws `NotConnected` if nothing was sent; after any other error the
 * request may have arrived. @param whenConnected awaited between connection (with TLS) and the first byte, on a new
 * connection, since an idle one may be closed just then. If it rejects, nothing is sent.
 */
export async function fetchOutside(
  url: string,
  init: RequestInit,
  whenConnected?: () => Promise<void>,
): Promise<Response> {
  const undici = loadUndici();
  const newAgent = () =>
    new undici.Agent({ connect: watched(undici.buildConnector({}), whenConnected ?? (async () => undefined)) });
  const dispatcher = whenConnected === undefined ? (agent ??= newAgent()) : newAgent();
  try {
    return await undici.fetch(url, { ...init, dispatcher });
  } catch (error) {
    const { cause } = error as Error;
    throw cause instanceof NotConnected ? cause : error;
  } finally {
    // Closing waits for the body.
    if (dispatcher !== agent) void dispatcher.close();
  }
}

const watched =
  (connect: buildConnector.connector, whenConnected: () => Promise<void>): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) return callback(new NotConnected(codeOf(error), error), null);
      whenConnected().then(
        () => callback(null, socket!),
        (reason: unknown) => {
          socket!.destroy();
          callback(new NotConnected("ABORTED", reason), null);
        },
      );
    });

/** Error code of the error or its cause; otherwise the error's name. */
export function codeOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown } | undefined; name?: string };
  const named = code ?? cause?.code;
  return typeof named === "string" ? named : (name ?? "Error");
}
