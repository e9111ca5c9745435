import { describe, expect, test } from "vitest";
import { z } from "zod";
import { apiCalls } from "~/http/api/api-calls.server";
import { pathNames } from "~/http/api/api-route.server";
import { exampleOf, presentApi } from "~/http/api/present-api.server";
import { apiPortal } from "./api-portal";
import { nameOf } from "./trials";

const { api } = apiPortal();

describe("the description", () => {
  test("holds every call with its parameters, and only those", async () => {
    const { body } = await api("admin", "GET /openapi.json");
    const described = Object.entries<Record<string, any>>(body.paths).flatMap(([pattern, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} ${pattern}`),
    );
    expect(described.sort()).toEqual(apiCalls.map(nameOf).sort());
    const ids = Object.values<Record<string, any>>(body.paths).flatMap((calls) =>
      Object.values(calls).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const [pattern, calls] of Object.entries<Record<string, any>>(body.paths)) {
      for (const { parameters, responses, summary } of Object.values(calls)) {
        expect(
          parameters
            .filter(({ in: place }: any) => place === "path")
            .map(({ name }: any) => name)
            .sort(),
        ).toEqual(pathNames(pattern).sort());
        expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
        expect(summary).not.toBe("");
      }
    }
  });

  test("resolves every reference", async () => {
    const { body } = await api("admin", "GET /openapi.json");
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!.split("/"));
    expect(references.length).toBeGreaterThan(0);
    for (const steps of references)
      expect(
        steps.reduce((place, step) => place?.[step], body),
        steps.join("/"),
      ).toBeTypeOf("object");
  });
});

describe("the page for people", () => {
  test("shows every call, with each field that must be sent", () => {
    const shown = presentApi("https://klinik.eksempel.dk").groups.flatMap(({ calls }) => calls);
    expect(shown.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(apiCalls.map(nameOf).sort());
    const refer = shown.find(({ id }) => id === "post_Visits_id_doctorinfo")!;
    expect(refer.access).toBe("login, nøgle (refer)");
    expect(refer.parameters).toEqual([
      { name: "id", type: "heltal, i adressen", isRequired: true },
      { name: "Idempotency-Key", type: "tekst, som header", isRequired: false },
    ]);
    expect(refer.body.map(({ name }) => name)).toEqual(["sendNotificationToDoctor", "doctorId"]);
    expect(refer.example).toBe(
      "curl -X POST 'https://klinik.eksempel.dk/api/Visits/1/doctorinfo' \\\n  -H 'Authorization: Bearer hp_…' \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'",
    );
  });

  test("gives examples that the calls take", () => {
    for (const route of apiCalls.filter(({ body }) => body?.type === "json")) {
      const example = exampleOf(z.toJSONSchema(route.body!.schema, { io: "input" }));
      expect(route.body!.schema.safeParse(example).error?.issues, nameOf(route)).toBeUndefined();
    }
  });
});
