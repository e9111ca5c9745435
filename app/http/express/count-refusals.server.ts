import type { RequestHandler, Response } from "express";
import type { DoorRefusal } from "~/access/door-refusals.server";
import type { Portal } from "~/portal.server";

/** Statuses that mean one kind of refusal, whatever part of the portal answers with them. */
const kindsOfStatus: Record<number, DoorRefusal> = { 413: "tooLarge", 429: "throttled" };

/** Counts a request among those refused at the door, when its answer ends. */
export function countAs({ locals }: Response, kind: DoorRefusal): void {
  locals.refusedAs = kind;
}

/** Counts the requests that are refused before anybody is known, for the log and for `/metrics`. */
export function countRefusals({ doorRefusals }: Pick<Portal, "doorRefusals">): RequestHandler {
  return (request, response, next) => {
    // The address is gone once the connection is.
    const { ip } = request;
    response.once("close", () => {
      const kind = (response.locals.refusedAs as DoorRefusal | undefined) ?? kindsOfStatus[response.statusCode];
      if (kind) doorRefusals.count(kind, ip);
    });
    next();
  };
}
