import { once } from "node:events";
import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import type { ScanGap, ScanResult, VirusScanner } from "./port";

export type ClamdAddress = { host: string; port: number } | { path: string };

export interface ClamdOptions {
  /**
   * Bytes; at most clamd's `MaxFileSize`, because clamd answers OK for larger files without scanning them (1.4.6).
   * Larger files are not sent.
   */
  maxBytes?: number;
  connectWithin?: number;
  /** Milliseconds for clamd to take the next piece. */
  takeWithin?: number;
  /** Milliseconds from the last piece to the answer; clamd's `MaxScanTime` is two minutes. */
  answerWithin?: number;
}

/** Debian's `MaxFileSize`, smaller than clamd's default. */
const DEBIAN_MAX_FILE_SIZE = 25 * 1024 * 1024;
const PIECE = 256 * 1024;
const MAX_ANSWER_BYTES = 4096;

/**
 * Scans with clamd's INSTREAM, one connection per file, with back-pressure. `clean` only if every byte was sent and the
 * answer was `stream: OK`.
 */
export function createClamdScanner(address: ClamdAddress, options: ClamdOptions = {}): VirusScanner {
  const {
    maxBytes = DEBIAN_MAX_FILE_SIZE,
    connectWithin = 5_000,
    takeWithin = 30_000,
    answerWithin = 150_000,
  } = options;
  const where = "path" in address ? `unix:${address.path}` : `tcp://${address.host}:${address.port}`;

  async function converse<T>(talk: (conversation: Conversation) => Promise<T>): Promise<T> {
    const conversation = converseOver(connect({ ...address, noDelay: true }));
    try {
      await conversation.within(connectWithin, (signal) => once(conversation.socket, "connect", { signal }));
      return await talk(conversation);
    } finally {
      conversation.socket.destroy();
    }
  }

  return {
    name: `clamd ${where}`,
    label: `ClamAV (filer op til ${Math.floor(maxBytes / 1024 / 1024)} MB)`,

    async scan(path): Promise<ScanResult> {
      const file = await open(path, "r").catch(() => null);
      if (file === null) return "unreadable";
      let isConnected = false;
      try {
        const { size } = await file.stat();
        if (size > maxBytes) return "tooLarge";
        return await converse(async (conversation) => {
          isConnected = true;
          conversation.socket.write("zINSTREAM\0");
          let sent = 0;
          for await (const piece of file.createReadStream({
            highWaterMark: PIECE,
            autoClose: false,
          }) as AsyncIterable<Buffer>) {
            if (conversation.hasAnswered()) break;
            sent += piece.length;
            conversation.socket.write(lengthOf(piece.length));
            if (!conversation.socket.write(piece))
              await conversation.within(takeWithin, (signal) => once(conversation.socket, "drain", { signal }));
          }
          const allSent = sent === size && !conversation.hasAnswered();
          if (allSent) conversation.socket.write(lengthOf(0));
          return resultOf(await conversation.answer(answerWithin), allSent);
        });
      } catch {
        return isConnected ? "noAnswer" : "noConnection";
      } finally {
        await file.close();
      }
    },

    async state() {
      try {
        return await converse(async (conversation) => {
          conversation.socket.write("zPING\0");
          return (await conversation.answer(connectWithin)) === "PONG" ? "answers" : "silent";
        });
      } catch {
        return "silent";
      }
    },
  };
}

function lengthOf(bytes: number): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(bytes);
  return header;
}

/**
 * Answers meaning that clamd could not scan: limits (`AlertExceedsMax yes`), passwords (`AlertEncrypted yes`), and an
 * unnamed detection.
 */
function gapIn(answer: string): ScanGap | null {
  if (answer.startsWith("INSTREAM size limit exceeded")) return "tooLarge";
  if (/^stream: Heuristics\.Encrypted\.\S* FOUND$/.test(answer)) return "encrypted";
  if (/^stream: Heuristics\.Limits\.Exceeded\S* FOUND$/.test(answer)) return "tooComplex";
  return answer === "stream: (null) FOUND" ? "scannerError" : null;
}

function resultOf(answer: string, allSent: boolean): ScanResult {
  const gap = gapIn(answer);
  if (gap !== null) return gap;
  if (/^stream: .+ FOUND$/.test(answer)) return "infected";
  return allSent && answer === "stream: OK" ? "clean" : "scannerError";
}

interface Conversation {
  socket: Socket;
  hasAnswered(): boolean;
  answer(milliseconds: number): Promise<string>;
  /** Waits with a time limit, and not beyond the connection's end. */
  within<T>(milliseconds: number, wait: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

function converseOver(socket: Socket): Conversation {
  const over = new AbortController();
  let heard = "";
  let closed = false;
  const whole = () => heard.indexOf("\0");
  const endWaits = () => over.abort();
  // clamd may answer and hang up while we write; the answer counts.
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
    endWaits();
  });
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
    if (heard.length > MAX_ANSWER_BYTES) socket.destroy();
    if (whole() >= 0) endWaits();
  });

  async function within<T>(milliseconds: number, wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    const timer = setTimeout(abort, milliseconds);
    over.signal.addEventListener("abort", abort);
    if (over.signal.aborted) abort();
    try {
      return await wait(stop.signal);
    } finally {
      clearTimeout(timer);
      over.signal.removeEventListener("abort", abort);
    }
  }

  return {
    socket,
    within,
    hasAnswered: () => whole() >= 0 || closed,
    async answer(milliseconds) {
      if (!over.signal.aborted) await within(milliseconds, (signal) => once(signal, "abort"));
      if (whole() < 0) throw new Error("clamd gave no whole answer");
      return heard.slice(0, whole());
    },
  };
}
