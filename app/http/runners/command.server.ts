import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import {
  type ActionFunctionArgs,
  createCookie,
  json,
  redirect,
  redirectDocument,
  type TypedResponse,
} from "@remix-run/node";
import { z } from "zod";
import {
  type Caller,
  type CommandResult,
  execute,
  type InputReader,
  type Operation,
  refusedFileTexts,
} from "~/access/operation.server";
import { optionalWrite } from "~/access/optional-write.server";
import { Refusal, type RefusalName } from "~/access/refusal";
import { addFlash } from "~/access/sessions.server";
import { findHeldFiles } from "~/files/staging/staged-upload-store.server";
import type { Portal } from "~/portal.server";
import { headersOf, refusals, serverError } from "~/http/errors";
import { ANY_FORM } from "~/http/forms/action-result";
import { gathered, refuseRepeats } from "~/http/forms/form-fields.server";
import { loginWithReturn, pathOf, refusedPage, termsWithReturn } from "./page.server";
import { appendSession } from "./session-cookie.server";

/** What a form that was not accepted, or a look-up, answers: everything typed stays in `submission`. */
export interface FormAnswer {
  formId: string;
  submission: SubmissionResult<string[]> | null;
  /** Why it was refused, for a page that shows one refusal otherwise than the rest. */
  refusal?: RefusalName;
  found?: Record<string, unknown>;
  /** Fields are missing that stood after a file which could not be stored; they are as they were saved. */
  isCut?: true;
  /** An unexpected error stopped it: nothing was changed, and whoever reads the page anew may meet the same. */
  isFault?: true;
  /** Files that arrived with this form and wait for it: a form that is sent again claims them. */
  held?: { field: string; fileName: string; sizeBytes: number }[];
}

// Operations differ in what they take; the form decides at run time which one reads it.
type AnyOperation = Operation<any, CommandResult>;

const SEEN_WITH_THE_FORM: ReadonlySet<number> = new Set([400, 403, 409, 410, 413, 417, 422, 429, 507]);

/** A form's values that must never be sent back to the browser. */
const SECRET_FIELDS = ["password", "newPassword", "repeatPassword", "currentPassword"];

/**
 * An action: `intent`, the name of the button that was pressed, chooses the operation. Success answers 303 to where the operation
 * says, or back to the page; a refusal answers `FormAnswer` with its status, so that nothing typed is lost.
 */
export async function runCommand(
  args: ActionFunctionArgs,
  operations: Record<string, AnyOperation>,
): Promise<TypedResponse<FormAnswer>> {
  const { portal, form } = args.context;
  if (form === null) throw refusedPage(args.request, new Refusal("uploadBroken"));
  // Where to go afterwards may stand in the page's own address, as it does on the sign-in page.
  const to = new URL(args.request.url).searchParams.get("to");
  if (to !== null && !form.has("to")) form.set("to", to);
  // A form that was sent on to here may lead somewhere else once it is saved: what was typed belongs at the address it was sent to.
  if (to !== null) form.set("sentTo", to);
  form.set("here", pathOf(args.request));
  // A browser that tells no script which button was pressed sends none; the form itself says what it does then (docs/decisions/0072).
  const intent = String(form.get("intent") ?? form.get("defaultIntent") ?? "");
  const formId = String(form.get("formId") ?? intent);
  const operation = Object.hasOwn(operations, intent) ? operations[intent] : operations["*"];
  if (!operation && intent === "") return json(unreadAnswer(form), { status: 400 });
  if (!operation) throw refusedPage(args.request, new Refusal("notInScope"));
  const caller = await args.context.caller();
  const cut = args.context.received?.isCut ? { isCut: true as const } : {};
  try {
    const done = await execute(portal, caller, operation, formInput(form));
    return await succeed(args, { formId, form, operation, caller }, done);
  } catch (error) {
    if (error instanceof Response) throw error;
    const held = await filesHeldFor(portal, caller, form);
    if (error instanceof InvalidForm)
      return json({ formId, submission: withRefusedFiles(error.submission, caller), held, ...cut }, { status: 400 });
    if (error instanceof Refusal) return await refuse(args, { formId, form, operation, held, caller, cut }, error);
    portal.log.error({ err: error, operation: operation.name }, "operation failed");
    return json(
      {
        formId,
        submission: replyTo(form, operation, { formErrors: [operation.unexpectedErrorText ?? serverError] }),
        isFault: true as const,
        held,
      },
      { status: 500 },
    );
  }
}

/** A form of an older page, which says neither what it is nor what it wants: it stays on the screen with all that was typed. */
function unreadAnswer(form: FormData): FormAnswer {
  const { initialValue } = parseWithZod(gathered(form), { schema: z.looseObject({}) }).reply({
    hideFields: SECRET_FIELDS as never[],
  });
  return {
    formId: String(form.get("formId") ?? ANY_FORM),
    submission: { status: "error", initialValue, error: { "": [STALE] } } as SubmissionResult<string[]>,
  };
}

class InvalidForm extends Error {
  constructor(readonly submission: SubmissionResult<string[]>) {
    super("invalid form");
  }
}

/** Files that were refused are named beside whatever else is wrong, or the person would learn of them one form later. */
function withRefusedFiles(submission: SubmissionResult<string[]>, { files }: Caller): SubmissionResult<string[]> {
  return { ...submission, error: { ...submission.error, ...refusedFileTexts(files) } };
}

function formInput(form: FormData): InputReader {
  return <I>(schema: z.ZodType<I>) => {
    refuseRepeats(form, schema);
    const submission = parseWithZod(gathered(form), { schema });
    if (submission.status === "success") return submission.value;
    throw new InvalidForm(tellStale(submission.reply({ hideFields: SECRET_FIELDS as never[] })));
  };
}

/** What a person has not typed and cannot mend: it is wrong when the page is old, or was tampered with. */
const HIDDEN_FIELDS = [
  "formKey",
  "formId",
  "version",
  "seenVersion",
  "referralId",
  "fileId",
  "messageId",
  "count",
  "massChangeId",
];
const STALE = "Siden er forældet. Genindlæs den, og prøv igen.";

function tellStale(reply: SubmissionResult<string[]>): SubmissionResult<string[]> {
  const errors = Object.entries(reply.error ?? {});
  const visible = errors.filter(([name]) => !HIDDEN_FIELDS.includes(name));
  return visible.length === errors.length
    ? reply
    : { ...reply, error: { ...Object.fromEntries(visible), "": [STALE] } };
}

function typedIn(form: FormData, operation: AnyOperation) {
  return replyTo(form, operation, {}).initialValue;
}

function replyTo(
  form: FormData,
  operation: AnyOperation,
  errors: { formErrors?: string[]; fieldErrors?: Record<string, string[]> },
) {
  const submission = parseWithZod(gathered(form), { schema: operation.input });
  return submission.reply({ ...errors, hideFields: SECRET_FIELDS as never[] }) as SubmissionResult<string[]>;
}

interface Submitted {
  formId: string;
  form: FormData;
  operation: AnyOperation;
  caller: Caller;
}

async function succeed(args: ActionFunctionArgs, { formId, form, operation, caller }: Submitted, done: CommandResult) {
  const { portal, secure } = args.context;
  const { sessionId } = caller;
  // A look-up leaves the form as it was typed: without script the page is made anew from it.
  const found = done.data;
  if (found)
    return json({
      formId,
      submission: { initialValue: typedIn(form, operation) },
      found,
      held: await filesHeldFor(portal, caller, form),
    });
  const { flash } = done;
  if (flash && sessionId !== null && done.session !== "ended")
    await optionalWrite(portal, "message", () => addFlash(portal.db, sessionId, { formId, ...flash }));
  const headers = new Headers();
  await appendSession(headers, done.session, secure);
  if (done.remember) {
    const { name, maxAgeSeconds } = done.remember;
    headers.append(
      "Set-Cookie",
      await createCookie(name, { secure, httpOnly: true, sameSite: "lax", path: "/" }).serialize("1", {
        maxAge: maxAgeSeconds,
      }),
    );
  }
  // Sign-in and the pages behind it share neither styles nor script, so the browser changes over as a whole.
  const go = done.session || done.reload ? redirectDocument : redirect;
  throw go(done.to ?? pathOf(args.request), { status: 303, headers });
}

async function filesHeldFor(portal: Portal, { actor }: Caller, form: FormData): Promise<FormAnswer["held"]> {
  const formKey = form.get("formKey");
  if (actor.kind !== "person" || typeof formKey !== "string") return [];
  const held = await findHeldFiles(portal.db, actor.id, formKey);
  return held.map(({ field, fileName, sizeBytes }) => ({ field, fileName, sizeBytes }));
}

interface Refused {
  formId: string;
  form: FormData;
  operation: AnyOperation;
  held: FormAnswer["held"];
  caller: Caller;
  cut: Pick<FormAnswer, "isCut">;
}

async function refuse(
  args: ActionFunctionArgs,
  { formId, form, operation, held, caller, cut }: Refused,
  refusal: Refusal,
) {
  const { status, text } = refusals[refusal.name];
  if (refusal.to !== undefined && caller.sessionId !== null) {
    const { portal } = args.context;
    const sessionId = caller.sessionId;
    await optionalWrite(portal, "message", () =>
      addFlash(portal.db, sessionId, { tone: "error", text: refusal.text ?? text }),
    );
    throw redirect(refusal.to, { status: 303 });
  }
  if (refusal.name === "notSignedIn" && !args.context.isScripted) {
    // 307 makes the browser send the same form to the sign-in page, which seals what was typed and gives it back afterwards.
    throw redirect(loginWithReturn(args.request), { status: 307 });
  }
  if (refusal.name === "conditionsNotAccepted" && !args.context.isScripted)
    throw redirect(termsWithReturn(args.request), { status: 307 });
  const staysOnPage = SEEN_WITH_THE_FORM.has(status) && refusal.name !== "notAllowed";
  if (!staysOnPage && refusal.name !== "notSignedIn") throw refusedPage(args.request, refusal);
  args.context.retryAfterSeconds = refusal.retryAfterSeconds;
  const errors = { formErrors: [refusal.text ?? text], fieldErrors: refusal.fields };
  return json(
    { formId, submission: replyTo(form, operation, errors), refusal: refusal.name, held, ...cut },
    { status, headers: headersOf(refusal) },
  );
}
