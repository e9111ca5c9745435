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
 * Asks a system outside over HTTP. Throws `NotConnected` where nothing was sent; after any other error the request may have arrived.
 * @param whenConnected is awaited between the connection, TLS included, and the request's first byte; the connection is a new one then, since one that has
 * been idle may be closed by the other side just as it is used. Where it rejects nothing is sent.
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
    // It waits for the answer's body.
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

/** What an error calls itself, or what caused it; the kind of error where neither has a code. */
export function codeOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown } | undefined; name?: string };
  const named = code ?? cause?.code;
  return typeof named === "string" ? named : (name ?? "Error");
}
