import { randomUUID } from "node:crypto";
import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { auditRefusedKey } from "~/access/api-keys.server";
import type { Caller, Site, CommandResult } from "~/access/caller";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import { patientCaller } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import type { Portal } from "~/portal.server";
import { apiCalls } from "./api-calls.server";
import {
  type ApiRoute,
  askAs,
  type ApiRequest,
  authoriseCall,
  matchPath,
  parse,
  typedFields,
} from "./api-route.server";
import { type Download, fileResponse } from "~/http/runners/download.server";
import { headersOf, refusals, readError, serverError } from "~/http/errors";
import { appendSession } from "~/access/authenticator.server";

const FRESH = { "Cache-Control": "no-store" };

/** A read called by scripts: JSON answers and refusals, no redirect to sign-in. */
export async function runApi<I, O>(
  args: LoaderFunctionArgs,
  operation: Operation<I, O>,
  raw?: unknown,
): Promise<Response>;
/** Loader and action below `/api`: runs the call of address and method. */
export async function runApi(args: LoaderFunctionArgs): Promise<Response>;
export async function runApi(
  args: LoaderFunctionArgs,
  operation?: Operation<any, unknown>,
  raw: unknown = {},
): Promise<Response> {
  try {
    if (!operation) return await answerCall(args);
    return json(await execute(args.context.portal, await args.context.caller(), operation, plainInput(raw)), {
      headers: FRESH,
    });
  } catch (error) {
    if (error instanceof Refusal) return refused(error, args.request);
    throw error;
  }
}

/** Finds a call; throws `notInScope` for an unknown address and `wrongMethod` for a known one. */
export function findCall(method: string, path: string): ApiRoute {
  const there = callsAt(path);
  const found = there.find((route) => route.method === (method === "HEAD" ? "GET" : method));
  if (!found) throw new Refusal(there.length === 0 ? "notInScope" : "wrongMethod");
  return found;
}

const callsAt = (path: string) => apiCalls.filter((route) => matchPath(route, below(path)) !== null);
export const isOpenOn = (site: Site, path: string) => callsAt(path).some(({ sites }) => sites.includes(site));

const below = (path: string) => path.replace(/^\/api(?=\/)/, "");

/**
 * The sender's idempotency key; a call without one is its own (docs/decisions/0026). Throws `invalid` for a key that
 * cannot be used: the sender relies on it, and a second call would be carried out again.
 */
export function formKeyOf(header: string | string[] | null | undefined): string {
  if (!header) return randomUUID();
  if (typeof header === "string" && IDEMPOTENCY_KEY.test(header)) return header;
  throw new Refusal("invalid", { text: "Idempotency-Key skal være 8 til 64 tegn: bogstaverne a-z, tal, - og _." });
}

const IDEMPOTENCY_KEY = /^[\w-]{8,64}$/;

async function answerCall({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { portal, secure } = context;
  const path = new URL(request.url).pathname;
  // The key is checked first, so that nothing is revealed about calls outside its scope.
  if (context.isByKey) await context.caller();
  const route = findCall(request.method, path);
  const caller = await callerOf(route, path, context);
  // Authorised first: only permitted callers learn what else is wrong.
  authoriseCall(portal, caller, route);
  const parsed = await readCall(route, path, { request, context }).catch((error: unknown) => {
    if (error instanceof Refusal)
      auditRefusedKey(portal, caller, { name: route.operation.name, permission: route.permission }, error.name);
    throw error;
  });
  const headers = new Headers(FRESH);
  try {
    const result = await run(portal, caller, route, parsed, headers, secure);
    if (result === undefined || result === null) return new Response(null, { status: 204, headers });
    if (isDownload(result)) return await fileResponse(result, { request, context });
    if (hasVersion(result)) headers.set("ETag", etagOf(result));
    return json(result, { headers });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Logs the pattern, because addresses may contain CPR numbers.
    portal.log.error({ err: error, method: route.method, call: route.path }, "call failed");
    return json({ message: route.method === "GET" ? readError : serverError, errors: {} }, { status: 500, headers });
  }
}

/** Parses the request. Throws `invalid`, `wrongBody` and `conflict`. */
async function readCall(
  route: ApiRoute,
  path: string,
  { request, context: { received } }: Pick<LoaderFunctionArgs, "request" | "context">,
): Promise<ApiRequest<unknown, unknown>> {
  const inPath = Object.entries(matchPath(route, below(path)) ?? {});
  const sent = [...inPath, ...new URL(request.url).searchParams];
  const params = parse(route.params, typedFields(sent, route.params));
  const parsed: ApiRequest<unknown, unknown> = {
    params,
    body: route.body === null ? undefined : parse(route.body.schema, await bodyOf(route, request, received?.form)),
    ...versionsOf(request.headers.get("If-Match")),
    formKey: received?.formKey ?? formKeyOf(request.headers.get("Idempotency-Key")),
    files: received?.sent ?? [],
  };
  refuseOtherVisit(parsed);
  return parsed;
}

function callerOf(route: ApiRoute, path: string, context: LoaderFunctionArgs["context"]): Promise<Caller> {
  if (route.link === null || context.isByKey) return context.caller();
  const token = matchPath(route, below(path))?.token ?? "";
  return patientCaller(context.portal, { token, purpose: route.link }, context);
}

function refuseOtherVisit({ params, body }: ApiRequest<unknown, unknown>): void {
  const { id } = params as { id?: unknown };
  for (const name of ["visitId", "VisitId"]) {
    const named = (body as Record<string, unknown> | undefined)?.[name];
    if (id !== undefined && named !== undefined && named !== id)
      throw new Refusal("invalid", { fields: { [name]: ["Nummeret er ikke det samme som i adressen."] } });
  }
}

async function run(
  portal: Portal,
  caller: Caller,
  route: ApiRoute,
  parsed: ApiRequest<unknown, unknown>,
  headers: Headers,
  secure: boolean,
): Promise<unknown> {
  const ask = askAs(portal, caller, route);
  let session: CommandResult["session"];
  const result = await route.run(async (operation, input) => {
    const done = await ask(operation, input);
    if (operation.kind === "change" || operation.kind === "external")
      session = (done as CommandResult).session ?? session;
    return done;
  }, parsed);
  await appendSession(headers, session, secure);
  return result;
}

async function bodyOf({ body }: ApiRoute, request: Request, form: FormData | undefined): Promise<unknown> {
  const type = request.headers.get("Content-Type") ?? "";
  if (body?.type === "form") {
    if (!form) throw new Refusal("wrongBody");
    return typedFields(form, body.schema);
  }
  if (!/^application\/json/i.test(type)) throw new Refusal("wrongBody");
  const text = await request.text();
  const refusal = jsonRefusal(text);
  if (refusal !== null) throw new Refusal("invalid", { text: refusal });
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("invalid", { text: "Indholdet er ikke gyldig JSON." });
  }
}

/**
 * Parses `"3"`, `W/"3"`, `3`, or a referral's `"3.2"` (version and status version); `*` or no header match any. Throws
 * `conflict` for malformed ones.
 */
function versionsOf(header: string | null): Pick<ApiRequest<unknown, unknown>, "seenVersion" | "seenStatusVersion"> {
  if (header === null || header.trim() === "*") return { seenVersion: undefined, seenStatusVersion: undefined };
  const match = /^(?:W\/)?"?(\d{1,9})(?:\.(\d{1,9}))?"?$/.exec(header.trim());
  if (!match) throw new Refusal("conflict");
  return { seenVersion: Number(match[1]), seenStatusVersion: match[2] === undefined ? undefined : Number(match[2]) };
}

const etagOf = ({ version, statusVersion }: Versioned) =>
  statusVersion === undefined ? `"${version}"` : `"${version}.${statusVersion}"`;

const isDownload = (result: unknown): result is Download =>
  typeof result === "object" && result !== null && "open" in result && typeof result.open === "function";
interface Versioned {
  version: number;
  statusVersion?: number;
}
const hasVersion = (result: unknown): result is Versioned =>
  typeof result === "object" && result !== null && "version" in result && typeof result.version === "number";

function refused(refusal: Refusal, request: Request): Response {
  const { status, text } = refusals[refusal.name];
  const headers = new Headers({ ...FRESH, ...headersOf(refusal) });
  if (refusal.name === "notSignedIn") headers.set("WWW-Authenticate", "Bearer");
  if (refusal.name === "wrongMethod")
    headers.set(
      "Allow",
      callsAt(new URL(request.url).pathname)
        .map(({ method }) => method)
        .join(", "),
    );
  return json({ message: refusal.text ?? text, errors: refusal.fields }, { status, headers });
}

/** Lists of a call have 1,000 items at most; every schema reads each value that is sent, and one error of many is an answer. */
const MAX_VALUES = 5_000;
const MAX_DEPTH = 20;

/**
 * Why a JSON body is not parsed, in Danish; null if it may be. Does not check whether the text is JSON: the parser
 * does.
 */
export function jsonRefusal(text: string): string | null {
  let [values, depth, isText] = [1, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === ",") values += 1;
    else if (sign === "[" || sign === "{") [values, depth] = [values + 1, depth + 1];
    else if (sign === "]" || sign === "}") depth -= 1;
    if (values > MAX_VALUES) return "Indholdet har flere værdier, end der kan læses.";
    if (depth > MAX_DEPTH) return "Indholdet har flere lag, end der kan læses.";
  }
  return null;
}
