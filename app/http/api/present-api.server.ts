import { describedApi } from "./api-calls.server";
import type { DescribedCall, Schema } from "./api-description.server";

export interface ApiField {
  /** `visits[].id` for a field of a list's objects. */
  name: string;
  type: string;
  isRequired: boolean;
}

export interface ApiError {
  status: string;
  description: string;
}

export interface ShownCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  access: string;
  parameters: ApiField[];
  body: ApiField[];
  answer: ApiField[];
  answerType: string;
  example: string;
}

/** The OpenAPI document as the page for people shows it. @param origin scheme and host of the examples */
export function presentApi(origin: string) {
  const { tags, paths, components } = describedApi();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ tag: described.tags[0]!, path, method, described })),
  );
  return {
    errors: Object.entries(components.responses).map(([name, { description }]): ApiError => ({
      status: name.slice(1),
      description,
    })),
    groups: tags.map(({ name }) => ({
      name,
      calls: calls
        .filter(({ tag }) => tag === name)
        .map(({ path, method, described }) => presentCall(origin, path, method.toUpperCase(), described)),
    })),
  };
}

function presentCall(origin: string, path: string, method: string, call: DescribedCall): ShownCall {
  const [bodyType, body] = Object.entries(call.requestBody?.content ?? {})[0] ?? [];
  const [answerType, answer] = Object.entries(call.responses[200]?.content ?? {})[0] ?? [];
  const isJson = answerType === "application/json";
  return {
    id: call.operationId,
    method,
    path,
    summary: call.summary,
    access: accessWords(call.security),
    parameters: call.parameters.map(({ name, in: place, required, schema }) => ({
      name,
      type: `${typeWords(schema)}, ${places[place]}`,
      isRequired: required,
    })),
    body: body ? fieldsOf(body.schema) : [],
    answer: isJson ? fieldsOf(answer!.schema) : [],
    answerType: isJson ? typeWords(answer!.schema) : (answerType ?? "intet indhold (204)"),
    example: exampleCall(origin, path, method, call, bodyType),
  };
}

const places: Record<string, string> = { path: "i adressen", query: "efter ?", header: "som header" };

function accessWords(security: DescribedCall["security"]): string {
  if (security.length === 0) return "åbent";
  const key = security.find((way) => way.apiKey)?.apiKey;
  if (key === undefined) return "login";
  return `login, nøgle${key.map((scope) => ` (${scope})`).join("")}`;
}

const schemaIn = (value: boolean | Schema | (boolean | Schema)[] | undefined): Schema =>
  typeof value === "object" && !Array.isArray(value) ? value : {};
const isNull = ({ type }: Schema) => type === "null";
const choicesOf = (schema: Schema): Schema[] => schema.oneOf ?? schema.anyOf ?? [schema];

const formats: Record<string, string> = {
  date: "dato",
  "date-time": "tidspunkt (UTC)",
  email: "e-mailadresse",
  binary: "fil",
};

/** Bounds beyond every id are the number type's own. */
const isBound = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < 1e11;

function typeWords(schema: Schema): string {
  const choices = choicesOf(schema);
  if (choices.length > 1) return [...new Set(choices.map(typeWords))].join(" eller ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" eller ");
  if (schema.type === "array") return `liste af ${typeWords(schemaIn(schema.items))}`;
  if (schema.type === "integer" || schema.type === "number") {
    const from = isBound(schema.minimum) ? ` fra ${schema.minimum}` : "";
    const to = isBound(schema.maximum) ? ` til ${schema.maximum}` : "";
    return `${schema.type === "integer" ? "heltal" : "tal"}${from}${to}`;
  }
  if (schema.type === "string")
    return `${formats[schema.format ?? ""] ?? "tekst"}${schema.maxLength ? `, højst ${schema.maxLength} tegn` : ""}`;
  return { boolean: "true eller false", null: "null", object: "objekt" }[String(schema.type)] ?? "objekt";
}

function fieldsOf(schema: Schema, before = ""): ApiField[] {
  const found = new Map<string, ApiField>();
  for (const choice of choicesOf(schema).filter((each) => !isNull(each))) {
    if (choice.type === "array")
      for (const field of fieldsOf(schemaIn(choice.items), `${before}[]`)) found.set(field.name, field);
    for (const [key, each] of Object.entries(choice.properties ?? {})) {
      const name = before === "" ? key : `${before}.${key}`;
      const type = typeWords(schemaIn(each));
      const known = found.get(name);
      found.set(name, {
        name,
        type: known && known.type !== type ? `${known.type} eller ${type}` : type,
        isRequired: choice.required?.includes(key) ?? false,
      });
      for (const field of fieldsOf(schemaIn(each), name)) found.set(field.name, field);
    }
  }
  return [...found.values()];
}

const sampleTexts: [RegExp, string][] = [
  [/cpr/i, "251248-9996"],
  [/mail/i, "navn@eksempel.dk"],
  [/phone/i, "70 00 00 00"],
  [/zip/i, "8000"],
  [/date|from|to$/i, "2026-11-27"],
  [/plate/i, "AB12345"],
  [/token/i, "…"],
];

/**
 * An example that fits the schema, with required fields only.
 * @param turn position in a list, so that its numbers differ
 */
export function exampleOf(schema: Schema, name = "", turn = 0): unknown {
  const [choice = schema] = choicesOf(schema);
  if (choice !== schema) return exampleOf(choice, name, turn);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === "array")
    return Array.from({ length: schema.minItems ?? 1 }, (_, at) => exampleOf(schemaIn(schema.items), name, at));
  if (schema.type === "integer" || schema.type === "number") return Math.max(1, schema.minimum ?? 1) + turn;
  if (schema.type === "boolean") return true;
  if (schema.type === "object") {
    const required = schema.required ?? [];
    const shown = Object.entries(schema.properties ?? {}).filter(([key]) => required.includes(key));
    return Object.fromEntries(shown.map(([key, each]) => [key, exampleOf(schemaIn(each), key)]));
  }
  if (schema.format === "date") return "2026-11-27";
  if (schema.format === "date-time") return "2026-11-27T08:00:00.000Z";
  return sampleTexts.find(([names]) => names.test(name))?.[1] ?? "tekst";
}

function exampleCall(origin: string, path: string, method: string, call: DescribedCall, type?: string): string {
  const value = (name: string, schema: Schema) => encodeURIComponent(String(exampleOf(schema, name)));
  const inPath = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    value(name, call.parameters.find((each) => each.name === name)?.schema ?? {}),
  );
  const query = call.parameters
    .filter(({ in: place, required }) => place === "query" && required)
    .map(({ name, schema }) => `${name}=${value(name, schema)}`);
  const address = `${origin}/api${inPath}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const lines = [`curl${method === "GET" ? "" : ` -X ${method}`} '${address}'`];
  if (call.security.some((way) => way.apiKey)) lines.push("-H 'Authorization: Bearer hp_…'");
  else if (call.security.length > 0) lines.push("-b '__Host-session=…'");
  if (method !== "GET" && !lines.some((line) => line.includes("Bearer"))) lines.push(`-H 'Origin: ${origin}'`);
  const body = call.requestBody?.content?.[type ?? ""]?.schema;
  if (body && type === "application/json")
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(exampleOf(body))}'`);
  else if (body)
    for (const [name, text] of Object.entries(exampleOf(body) as Record<string, unknown>))
      lines.push(`-F '${name}=${String(text)}'`);
  return lines.join(" \\\n  ");
}
