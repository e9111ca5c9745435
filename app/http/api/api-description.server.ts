import { z } from "zod";
import { type ApiRoute, pathNames, uploadFieldsOf } from "./api-route.server";
import { keyScopes } from "~/access/actor";
import { refusals } from "~/http/errors";

export type Schema = z.core.JSONSchema.BaseSchema;

export type CallGroup = readonly [tag: string, calls: readonly ApiRoute[]];

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface DescribedCall {
  tags: string[];
  summary: string;
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: Content & { required: true };
  responses: Record<string, Content & { description?: string; $ref?: string }>;
}

const error: Schema = {
  type: "object",
  required: ["message", "errors"],
  properties: {
    message: { type: "string" },
    errors: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
  },
};

export function describeApi(groups: readonly CallGroup[]) {
  const paths: Record<string, Record<string, DescribedCall>> = {};
  for (const [tag, routes] of groups)
    for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = describeCall(tag, route);
  return {
    openapi: "3.1.0",
    info: {
      title: "Henvisningsportalen",
      version: "1",
      description:
        "Two ways in. People: the session's cookie; what changes something must come from the portal's own origin, and each host serves its own people. Other systems: a key in `Authorization: Bearer`, on either host, for the calls whose `apiKey` names one of its scopes; no cookie, no origin, 429 beyond the key's calls a minute. If-Match names the version that was seen and is optional; Idempotency-Key makes a second sending of the same call harmless; with other values it is another call.",
    },
    servers: [{ url: "/api" }],
    security: [{ session: [] }, { apiKey: [] }],
    tags: groups.map(([name]) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "__Host-session" },
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: `Made by an admin in the settings. Scopes: ${keyScopes.join(", ")}.`,
        },
      },
      schemas: { Error: error },
      responses: Object.fromEntries(
        statuses.map((status) => [
          `E${status}`,
          {
            description: describeStatus(status),
            content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
          },
        ]),
      ),
    },
  };
}

const statuses = [...new Set(Object.values(refusals).map(({ status }) => status))].sort();
const describeStatus = (status: number) =>
  Object.entries(refusals)
    .flatMap(([name, refusal]) => (refusal.status === status ? [name] : []))
    .join(", ");

function describeCall(tag: string, route: ApiRoute): DescribedCall {
  const inPath = pathNames(route.path);
  const { properties = {}, required = [] } = schemaOf(route.params, "input");
  const parameters = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: inPath.includes(name) ? "path" : "query",
    required: required.includes(name),
    schema: schema as Schema,
  }));
  const headers = [
    ...(["PUT", "PATCH", "DELETE"].includes(route.method) ? ["If-Match"] : []),
    ...(route.method === "POST" ? ["Idempotency-Key"] : []),
  ];
  return {
    tags: [tag],
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^A-Za-z0-9]+/g, "_").replace(/_$/, "")}`,
    security: describeSecurity(route),
    parameters: [
      ...parameters,
      ...headers.map((name) => ({ name, in: "header", required: false, schema: { type: "string" as const } })),
    ],
    ...(route.body ? { requestBody: { required: true, content: describeBody(route) } } : {}),
    responses: {
      ...describeAnswer(route),
      ...Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/E${status}` }])),
    },
  };
}

function describeSecurity({ operation, link, scope }: ApiRoute): Record<string, string[]>[] {
  if (operation.permission === "public" || link !== null) return [];
  const session = { session: [] };
  if (scope === null) return [session];
  return [session, { apiKey: scope === "any" ? [] : [scope] }];
}

function describeBody(route: ApiRoute): Record<string, { schema: Schema }> {
  const { type, schema } = route.body!;
  const described = schemaOf(schema, "input");
  if (type === "json") return { "application/json": { schema: described } };
  const files = Object.entries(uploadFieldsOf(route)).map(([name, { maxFiles }]): [string, Schema] => [
    name,
    { type: "array", maxItems: maxFiles, items: { type: "string", format: "binary" } },
  ]);
  return {
    "multipart/form-data": {
      schema: {
        ...described,
        properties: { ...described.properties, ...Object.fromEntries(files) },
      },
    },
  };
}

function describeAnswer({ answer }: ApiRoute): DescribedCall["responses"] {
  const nothing = { 204: { description: "Done, or no data" } };
  if (answer.file)
    return {
      200: { description: "The file", content: { [answer.file]: { schema: { type: "string", format: "binary" } } } },
      ...(answer.orNothing ? nothing : {}),
    };
  return answer.schema
    ? { 200: { description: "OK", content: { "application/json": { schema: schemaOf(answer.schema, "output") } } } }
    : nothing;
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io });
  return described;
}
