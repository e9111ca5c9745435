import type { RequestHandler } from "express";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import type { PortalContext } from "~/http/runners/context.server";
import { MAX_BODY_BYTES } from "./guard.server";
import { isSmall, readForm } from "~/http/forms/read-form.server";
import { refuseBody } from "./refuse-body.server";

/** Pages that receive another page's form, files included, to keep its text. */
const RESUBMITS_FORMS: string[] = [paths.login, paths.terms];

/**
 * Reads a form without files before Remix, which would accept any number of fields. Forms with files are left to
 * `receiveUploads`, which checks the sender first.
 */
export function receiveForms(portal: Portal): RequestHandler {
  return async (request, response, next) => {
    const type = request.headers["content-type"] ?? "";
    const isPlain = /^application\/x-www-form-urlencoded(;|$)/i.test(type);
    const isSentOn =
      /^multipart\/form-data(;|$)/i.test(type) && RESUBMITS_FORMS.includes(request.path) && isSmall(request);
    if (request.method !== "POST" || !(isPlain || isSentOn)) return next();
    try {
      (response.locals.context as PortalContext).form = await readForm(request, { maxFieldBytes: MAX_BODY_BYTES });
    } catch (error) {
      return refuseBody(portal, request, response, error);
    }
    next();
  };
}
