import { z } from "zod";
import type { KeyScope, LinkPurpose } from "~/access/actor";
import { auditRefusedKey } from "~/access/api-keys.server";
import { authorise } from "~/access/authorise.server";
import type { Caller, Site } from "~/access/caller";
import { execute, type Operation, type UploadField } from "~/access/operation.server";
import { can, type Permission } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import type { Portal } from "~/portal.server";

type AnyOperation = Operation<any, any>;
type Shape = Record<string, z.ZodType>;

export type Ask = <O>(operation: Operation<any, O>, input?: unknown) => Promise<O>;

export interface ApiRequest<P, B> {
  params: P;
  body: B;
  /** From `If-Match`; absent means the last write wins. */
  seenVersion: number | undefined;
  /** Status version from a referral's ETag `"version.status"`. */
  seenStatusVersion: number | undefined;
  formKey: string;
  files: { id: number; field: string; place: number }[];
}

export interface ApiRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below `/api` with parameters, such as `/Visits/{id}`. */
  path: string;
  segments: readonly (string | { name: string; isNumber: boolean })[];
  summary: string;
  operation: AnyOperation;
  /** Stricter permission than the operation's. */
  permission: Permission;
  scope: KeyScope | "any" | null;
  /** Hosts that serve it without a key. */
  sites: readonly Site[];
  link: LinkPurpose | null;
  params: z.ZodObject<Shape>;
  body: {
    type: "json" | "form";
    schema: z.ZodType;
    files: Record<string, string>;
  } | null;
  answer: Answer;
  names: Record<string, string>;
  run(ask: Ask, parsed: ApiRequest<any, any>): Promise<unknown>;
}

/** Answer: `schema` of JSON or a file type; neither means 204, as does `orNothing` without data. */
interface Answer {
  schema?: z.ZodType;
  file?: string;
  orNothing?: boolean;
}

interface Declared<P extends Shape, B extends z.ZodType> {
  summary: string;
  operation: AnyOperation;
  permission?: Permission;
  scope: KeyScope | "any" | null;
  isPublic?: boolean;
  link?: LinkPurpose;
  params?: P;
  json?: B;
  form?: B;
  files?: Record<string, string>;
  names?: Record<string, string>;
  answer?: Answer;
  run(ask: Ask, parsed: ApiRequest<z.output<z.ZodObject<P>>, z.output<B>>): Promise<unknown>;
}

export function call<P extends Shape = Record<never, never>, B extends z.ZodType = z.ZodUndefined>(
  name: `${ApiRoute["method"]} /${string}`,
  declared: Declared<P, B>,
): ApiRoute {
  const [method, path] = name.split(" ") as [ApiRoute["method"], string];
  const { params, json, form, files = {}, names = {}, answer = {}, summary, operation, link = null, run } = declared;
  const { permission = operation.permission, scope, isPublic = false } = declared;
  const schema = json ?? form;
  return {
    method,
    path,
    segments: segmentsOf(path, params ?? {}),
    summary,
    operation,
    permission,
    scope,
    sites: isPublic ? ["staff", "public"] : ["staff"],
    link,
    params: z.object(params ?? {}),
    body: schema ? { type: json ? "json" : "form", schema, files } : null,
    answer,
    names,
    run: answer.schema || answer.file ? run : async (ask, parsed) => void (await run(ask, parsed)),
  };
}

/** Parameters that are true without a value: `?regenerate`. */
const SWITCHES: ReadonlySet<string> = new Set(["regenerate"]);

export const id = z.int().positive().max(999_999_999_999);

export const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** Made once per call, because each API request is compared with all of them. */
const segmentsOf = (path: string, params: Shape): ApiRoute["segments"] =>
  path.split("/").map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? segment : { name, isNumber: leafOf(params[name]) === "number" };
  });

/**
 * Parameters of an address below `/api`; null if it is not the route's. Numeric parameters accept digits only. Throws
 * `URIError` for a broken escape.
 */
export function matchPath({ segments }: ApiRoute, path: string): Record<string, string> | null {
  const given = path.split("/");
  if (given.length !== segments.length) return null;
  const params: [string, string][] = [];
  for (const [at, segment] of segments.entries()) {
    const value = given[at]!;
    if (typeof segment === "string") {
      if (segment !== value) return null;
    } else if (segment.isNumber ? /^\d{1,12}$/.test(value) : value !== "") params.push([segment.name, value]);
    else return null;
  }
  return Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)]));
}

export function uploadFieldsOf({ body, operation }: ApiRoute): Record<string, UploadField> {
  return Object.fromEntries(Object.entries(body?.files ?? {}).map(([field, own]) => [field, operation.uploads![own]!]));
}

/** Runs operations as the caller. Throws `Refusal` with API field names. */
export function askAs(portal: Portal, caller: Caller, { names }: Pick<ApiRoute, "names">): Ask {
  return async (operation, input = {}) => {
    try {
      return await execute(portal, caller, operation, (schema) => parse(schema, input));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const fields: Record<string, string[]> = {};
      // Several operation fields may map to one API field.
      for (const [field, texts] of Object.entries(error.fields)) (fields[names[field] ?? field] ??= []).push(...texts);
      throw new Refusal(error.name, { text: error.text, fields });
    }
  };
}

/** Throws if the caller may not make this call; used before the request is read. */
export function authoriseCall(portal: Portal, caller: Caller, { permission, scope, operation }: ApiRoute): void {
  const { actor } = caller;
  if (actor.kind !== "apiKey") return authorise(portal, caller, permission);
  if (scope === "any") return;
  if (scope !== null && actor.key?.scopes.includes(scope) && can(actor, permission)) return;
  auditRefusedKey(portal, caller, { name: operation.name, permission }, "outside the key's scopes");
  throw new Refusal("notAllowed", { text: "API-nøglen giver ikke adgang til dette kald." });
}

/** Parses a value; throws `invalid`. */
export function parse<T>(schema: z.ZodType<T>, raw: unknown): T {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw invalid(parsed.error);
  return parsed.data;
}

const MAX_LIST_LENGTH = 1000;

/** `invalid` with each field's texts, deduplicated, since every item of a long list may be wrong. */
function invalid(error: z.ZodError): Refusal {
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const texts = (fields[String(issue.path.findLast((part) => typeof part === "string") ?? "")] ??= []);
    if (!texts.includes(issue.message)) texts.push(issue.message);
  }
  return new Refusal("invalid", { fields });
}

/**
 * Converts text from addresses and forms to the schema's types: numbers, booleans, lists (repeated, JSON, or
 * `Field[]`). Empty values are dropped; an empty switch is true.
 */
export function typedFields(
  entries: Iterable<[string, FormDataEntryValue]>,
  schema: z.ZodType,
): Record<string, unknown> {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Shape) : {};
  const values: Record<string, unknown> = {};
  for (const [sentName, sent] of entries) {
    const name = sentName.replace(/\[\]$/, "");
    if (!Object.hasOwn(shape, name) || typeof sent !== "string") continue;
    if (sent === "" && SWITCHES.has(name)) values[name] = true;
    if (sent.trim() === "") continue;
    const list = listOf(shape[name]);
    if (list === null) values[name] = typed(sent, leafOf(shape[name]));
    else {
      const parts = (values[name] ??= []) as unknown[];
      for (const part of partsOf(sent)) parts.push(typed(part, leafOf(list)));
      if (parts.length > MAX_LIST_LENGTH)
        throw new Refusal("invalid", { fields: { [name]: [`Højst ${MAX_LIST_LENGTH} ad gangen.`] } });
    }
  }
  return values;
}

function partsOf(sent: string): string[] {
  if (!sent.trim().startsWith("[")) return [sent];
  try {
    const list: unknown = JSON.parse(sent);
    return Array.isArray(list) ? list.map(String) : [sent];
  } catch {
    return [sent];
  }
}

function typed(text: string, leaf: string): unknown {
  if (leaf === "number" && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text);
  if (leaf === "boolean" && /^(true|false)$/i.test(text.trim())) return text.trim().toLowerCase() === "true";
  return text;
}

function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  const definition = schema?.def as { type: string; innerType?: z.ZodType } | undefined;
  return definition?.innerType && ["optional", "nullable", "default"].includes(definition.type)
    ? bare(definition.innerType)
    : schema;
}

export const leafOf = (schema: z.ZodType | undefined) => bare(schema)?.def.type ?? "string";
export const listOf = (schema: z.ZodType | undefined) => {
  const inner = bare(schema);
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : null;
};
