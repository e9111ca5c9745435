import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { connect as connectSocket, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOfErrorCode, type SendResult } from "../sending/port";
import type { SftpSettings } from "./port";

interface Client {
  connect(options: Record<string, unknown>): Promise<unknown>;
  put(source: Buffer, remotePath: string): Promise<unknown>;
  get(remotePath: string): Promise<unknown>;
  exists(remotePath: string): Promise<false | "d" | "-" | "l">;
  stat(remotePath: string): Promise<{ size: number }>;
  rename(from: string, to: string): Promise<unknown>;
  list(remotePath: string): Promise<RemoteFile[]>;
  delete(remotePath: string, noErrorIfMissing: boolean): Promise<unknown>;
  end(): Promise<unknown>;
}

type Callbacks = Record<"error" | "end" | "close", () => void>;

interface RemoteFile {
  name: string;
  type: string;
  size: number;
  modifyTime: number;
}

export type SftpSession = Pick<Client, "put" | "exists" | "stat" | "rename" | "list" | "delete"> & {
  get(remotePath: string): Promise<Buffer>;
};

/** `connecting`: the server has received nothing. */
export class SftpError extends Error {
  constructor(
    readonly during: "connecting" | "working",
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Writes a file under another name and renames it, because the receiver takes any file with its name, even an
 * incomplete one. A file that is there stays as it is.
 */
export async function putWhole(
  session: SftpSession,
  bytes: Buffer,
  whole: string,
  progress: { isRenaming: boolean },
): Promise<void> {
  if (await session.exists(whole)) return;
  const part = `${whole}.part`;
  await session.put(bytes, part);
  const { size } = await session.stat(part);
  if (size !== bytes.length) throw new SftpError("working", "ESHORT", `${size} of ${bytes.length} bytes were kept`);
  progress.isRenaming = true;
  await session.rename(part, whole);
}

/** The result of an upload that failed; rethrows what the server has nothing to do with. */
export function retryAfter(error: unknown, reference: string | null): SendResult & { outcome: "retry" } {
  if (!(error instanceof SftpError)) throw error;
  const { during, code, message } = error;
  return {
    outcome: "retry",
    // The server's message names folders and files, which helps to find the cause.
    detail: `SFTP ${code}: ${message}`.slice(0, 300),
    reason: reasonOfErrorCode(code),
    // An unreachable host, refused login or missing folder stops everything.
    isChannelDown: during === "connecting" || code === "ENOENT" || code === "EACCES",
    reference: reference ?? undefined,
  };
}

const CONNECT_MS = 20_000;
const CALL_MS = 30_000;
/** About ten megabytes on a slow connection. */
const TRANSFER_MS = 180_000;
const END_MS = 5_000;

const loadClient = () =>
  createRequire(import.meta.url)("ssh2-sftp-client") as new (name: string, callbacks: Callbacks) => Client;

interface Connection {
  sessionFor(signal: AbortSignal): SftpSession;
  isOpen(): boolean;
  isIdle(idle: boolean): void;
  close(): Promise<void>;
}

const ignore = () => undefined;

/** A connection for one piece of work, always closed. Throws SftpError. */
export async function withSftp<R>(
  settings: SftpSettings,
  signal: AbortSignal,
  work: (session: SftpSession) => Promise<R>,
): Promise<R> {
  const connection = await open(settings, signal);
  try {
    return await work(connection.sessionFor(signal));
  } finally {
    await connection.close();
  }
}

/** Keeps the connection for the next letter, because logging in takes much longer. */
const IDLE_MS = 5_000;

/** Like `withSftp`, but reuses the connection briefly, unless it had an error. */
export function pooledSftp(
  settings: SftpSettings,
): <R>(signal: AbortSignal, work: (session: SftpSession) => Promise<R>) => Promise<R> {
  let idle: { connection: Connection; timer: NodeJS.Timeout } | null = null;
  const take = async (signal: AbortSignal): Promise<Connection> => {
    const reused = idle?.connection;
    clearTimeout(idle?.timer);
    idle = null;
    if (!reused) return open(settings, signal);
    reused.isIdle(false);
    try {
      await reused.sessionFor(signal).exists(settings.folder || "/");
      return reused;
    } catch {
      await reused.close();
      return open(settings, signal);
    }
  };
  const release = (connection: Connection) => {
    if (idle !== null || !connection.isOpen()) return connection.close();
    connection.isIdle(true);
    const timer = setTimeout(() => {
      idle = null;
      void connection.close();
    }, IDLE_MS).unref();
    idle = { connection, timer };
  };
  return async (signal, work) => {
    const connection = await take(signal);
    try {
      const result = await work(connection.sessionFor(signal));
      await release(connection);
      return result;
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
}

/**
 * Every call has its own time limit, because the library waits for ever for a silent server. The socket is ours, so
 * that it can be destroyed.
 */
async function open(settings: SftpSettings, signal: AbortSignal): Promise<Connection> {
  const socket = await openSocket(settings, signal);
  // The library does not notice a connection that was closed before.
  const closed = new Promise<never>((_, reject) => {
    socket.once("close", () => reject(new Error("the connection was closed")));
  });
  closed.catch(ignore);
  const client = new (loadClient())("portal", { error: ignore, end: ignore, close: ignore });
  const close = async () => {
    await Promise.race([client.end().catch(ignore), sleep(END_MS, undefined, { ref: false })]);
    socket.destroy();
  };
  try {
    const login = client.connect(await optionsOf(settings, socket));
    await limited("connecting", CONNECT_MS, signal, Promise.race([login, closed]));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    sessionFor: (own) => sessionOf(client, closed, own),
    isOpen: () => !socket.destroyed,
    isIdle: (idle) => void (idle ? socket.unref() : socket.ref()),
    close,
  };
}

function sessionOf(client: Client, closed: Promise<never>, signal: AbortSignal): SftpSession {
  const call = <A extends unknown[], T>(name: keyof Client, ms = CALL_MS) =>
    ((...given: A) =>
      limited(
        "working",
        ms,
        signal,
        Promise.race([(client[name] as (...args: A) => Promise<T>).apply(client, given), closed]),
      )) as never;
  return {
    put: call("put", TRANSFER_MS),
    get: call("get", TRANSFER_MS),
    exists: call("exists"),
    stat: call("stat"),
    rename: call("rename"),
    list: call("list"),
    delete: call("delete"),
  };
}

async function optionsOf({ user, keyFile, keyPassphrase, hostKey }: SftpSettings, socket: Socket) {
  const privateKey = await readFile(keyFile).catch((error: NodeJS.ErrnoException) => {
    throw new SftpError("connecting", error.code ?? "", "the private key cannot be read");
  });
  return {
    sock: socket,
    username: user,
    privateKey,
    passphrase: keyPassphrase ?? undefined,
    hostVerifier: (key: Buffer) => fingerprintOf(key) === hostKey,
    readyTimeout: CONNECT_MS,
  };
}

const fingerprintOf = (key: Buffer) =>
  `SHA256:${createHash("sha256")
    .update(key)
    .digest("base64")
    .replace(/={1,2}$/, "")}`;

function openSocket({ host, port }: SftpSettings, signal: AbortSignal): Promise<Socket> {
  const socket = connectSocket({ host, port, noDelay: true });
  const connected = new Promise<Socket>((resolve, reject) => {
    socket.once("connect", () => resolve(socket));
    socket.on("error", reject);
  });
  return limited("connecting", CONNECT_MS, signal, connected).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

const statusNames: Readonly<Record<string, string>> = { "2": "ENOENT", "3": "EACCES" };

async function limited<T>(during: SftpError["during"], ms: number, signal: AbortSignal, call: Promise<T>): Promise<T> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new SftpError(during, "ETIMEDOUT", "no answer in time"));
    if (limit.aborted) giveUp();
    limit.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([call, givenUp]);
  } catch (error) {
    if (error instanceof SftpError) throw error;
    const { code, message } = error as { code?: string | number; message: string };
    throw new SftpError(during, statusNames[String(code)] ?? String(code ?? ""), message);
  }
}
