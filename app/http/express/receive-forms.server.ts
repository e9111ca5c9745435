import type { RequestHandler, Request, Response } from "express";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import type { PortalContext } from "~/http/runners/context.server";
import { MAX_BODY_BYTES, countAs, isApi, refusePlainly } from "./guard.server";
import { isSmall, readForm } from "~/http/forms/read-form.server";
import { Refusal } from "~/access/refusal";
import { storeRefusal } from "~/access/operation.server";
import { type ActionResult, ANY_FORM_ID } from "~/http/forms/action-result";
import { headersOf, refusals } from "~/http/errors";

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

/** Answers a refused body in the client's format: API, our JavaScript, or browser. */
export function refuseBody(
  portal: Portal,
  request: Request,
  response: Response,
  error: unknown,
  title = "Formularen blev ikke modtaget",
): void {
  const refusal = refusalOf(error);
  if (refusal === null) portal.log.error({ err: error }, "body not read");
  const { status, text: standard } = refusal
    ? refusals[refusal.name]
    : { status: 500, text: "Overførslen mislykkedes. Prøv igen om lidt." };
  const text = refusal?.text ?? standard;
  if (refusal?.name === "formUnreadable") countAs(response, "unreadable");
  if (response.headersSent || request.socket.destroyed) return;
  // Closing stops the browser from sending a long body. A short one is read, because a client still sending never reads
  // the answer.
  if (!isSmall(request)) response.setHeader("Connection", "close");
  if (refusal) response.set(headersOf(refusal));
  request.unpipe();
  request.resume();
  if (isApi(request.path)) {
    const errors = refusal?.fields ?? {};
    response.status(status).set("Cache-Control", "no-store").json({ message: text, errors });
    return;
  }
  // A script's request gets data, or Remix would replace the page and its text.
  if (typeof request.query._data === "string") {
    const answer: ActionResult = {
      formId: ANY_FORM_ID,
      submission: { status: "error", error: { "": [text] } },
      ...(refusal ? { refusal: refusal.name } : {}),
    };
    response.status(status).set({ "Cache-Control": "no-store", "X-Remix-Response": "yes" }).json(answer);
    return;
  }
  const hint =
    refusal?.name === "notSignedIn"
      ? "Log ind i et nyt vindue, gå tilbage til formularen og send den igen."
      : "Gå tilbage: det, du skrev, står der endnu.";
  refusePlainly(portal, response, {
    status,
    title: refusal?.name === "textTooLong" ? "Teksten er for lang" : title,
    text: `${text} ${hint}`,
  });
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  return storeRefusal(error);
}
