import { randomBytes } from "node:crypto";
import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Portal } from "~/portal.server";
import { plainPage } from "~/http/runners/plain-page.server";

/** Browsers send all cookies of a domain: 64 KB, plus Node's default. */
export const MAX_HEADER_BYTES = (64 + 16) * 1024;

/** Milliseconds to read on after a refusal; closing at once would reset the connection before the page is read. */
const READ_ON_MS = 2_000;

interface Answer {
  status: number;
  title: string;
  text: string;
}

const answers: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: "Browseren sender for mange cookies",
    text: "Andre programmer på samme domæne har gemt mere i browseren, end portalen kan tage imod. Slet cookies for domænet i browserens indstillinger, eller brug et privat vindue, og prøv igen.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    title: "Forbindelsen var for langsom",
    text: "Det, browseren sendte, nåede ikke frem i tide. Prøv igen.",
  },
};

const MALFORMED: Answer = {
  status: 400,
  title: "Browserens forespørgsel kan ikke læses",
  text: "Gå tilbage, og prøv igen.",
};

interface UnreadableError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** Answers requests that Node cannot parse, and which never reach Express, with a Danish page. */
export function answerUnreadable(server: Server, portal: Pick<Portal, "config" | "doorRefusals">): void {
  const answered = new WeakSet<Duplex>();
  server.on("clientError", (error: UnreadableError, socket: Duplex) => {
    if (answered.has(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable || hasBegunAnswer(socket)) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    portal.doorRefusals.count("unreadable", (socket as Socket).remoteAddress);
    const { head, page } = write(answers[error.code ?? ""] ?? MALFORMED, portal.config.productName);
    socket.end(isHead(error) ? head : head + page);
    setTimeout(() => socket.destroy(), READ_ON_MS).unref();
  });
}

/** Whether the unreadable request is a HEAD, whose answer has no body. Its packet may begin with the body of the one before. */
function isHead({ rawPacket, bytesParsed }: UnreadableError): boolean {
  const read = rawPacket?.toString("latin1", 0, bytesParsed) ?? "";
  const begins = read.lastIndexOf("HEAD ");
  return begins !== -1 && !read.includes("\r\n\r\n", begins);
}

/**
 * Whether an answer's head was sent, so that no second one ends up in its body. Node's own handler checks the same
 * property.
 */
function hasBegunAnswer(socket: Duplex & { _httpMessage?: { headersSent: boolean } }): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- Node has no other name for it
  return socket._httpMessage?.headersSent === true;
}

function write({ status, title, text }: Answer, productName: string): { head: string; page: string } {
  const nonce = randomBytes(16).toString("base64");
  const page = plainPage({ title, text, productName, nonce });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: text/html; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(page)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `Content-Security-Policy: default-src 'none'; img-src 'self'; style-src 'nonce-${nonce}'; frame-ancestors 'none'`,
    "\r\n",
  ].join("\r\n");
  return { head, page };
}
