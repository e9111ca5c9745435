import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { countAs } from "./count-refusals.server";

/** How long the body of a request that is no upload may take to arrive. */
const BODY_MS = 60_000;
/** A connection that is silent for this long counts as lost. */
const SILENCE_MS = 120_000;

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Ends a request whose body has not come whole in time, whether anybody reads it or not. An upload leaves this rule by `endWhenSilent`. */
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

/** An upload may take hours on a slow connection, but not fall silent; once all has come, checking the file may take its time. */
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
