import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { countAs } from "./guard.server";

const BODY_MS = 60_000;
/** Milliseconds of silence after which a connection counts as lost. */
const SILENCE_MS = 120_000;

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Ends a request whose body is incomplete in time, read or not. Uploads are exempted by `endWhenSilent`. */
export function limitBodyTime(limitMs = BODY_MS): RequestHandler {
  return (request, response, next) => {
    const hasBody =
      request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
    if (!hasBody) return next();
    const deadline = setTimeout(() => {
      if (request.complete) return;
      countAs(response, "unreadable");
      if (response.headersSent) request.destroy();
      else request.socket.end("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n", () => request.destroy());
    }, limitMs).unref();
    deadlines.set(request, deadline);
    request.once("end", () => clearTimeout(deadline));
    request.once("close", () => clearTimeout(deadline));
    next();
  };
}

/** An upload may take hours but not fall silent; checking the complete file may take time. */
export function endWhenSilent(request: IncomingMessage): void {
  clearTimeout(deadlines.get(request));
  const { socket } = request;
  const giveUp = () => request.destroy();
  const stop = () => {
    socket.setTimeout(0);
    socket.off("timeout", giveUp);
  };
  socket.setTimeout(SILENCE_MS);
  socket.once("timeout", giveUp);
  request.once("end", stop);
  request.once("close", stop);
}
