import type { RequestHandler, Response } from "express";
import type { DoorRefusal } from "~/access/door-refusals.server";
import type { Portal } from "~/portal.server";

/** Statuses counted as a refusal wherever they are answered. */
const kindsOfStatus: Record<number, DoorRefusal> = { 413: "tooLarge", 429: "throttled" };

export function countAs({ locals }: Response, kind: DoorRefusal): void {
  locals.refusedAs = kind;
}

/** Counts requests refused before their sender is known, for log and `/metrics`. */
export function countRefusals({ doorRefusals }: Pick<Portal, "doorRefusals">): RequestHandler {
  return (request, response, next) => {
    // The address is unavailable after the connection has closed.
    const { ip } = request;
    response.once("close", () => {
      const kind = (response.locals.refusedAs as DoorRefusal | undefined) ?? kindsOfStatus[response.statusCode];
      if (kind) doorRefusals.count(kind, ip);
    });
    next();
  };
}
