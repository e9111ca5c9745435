import { apiCalls } from "~/http/api/api-calls.server";
import { leafOf, listOf } from "~/http/api/api-route.server";
import { differentLetters, type Hostile, KB } from "./hostile";
import type { SizesPortal } from "./sizes-portal";

const JSON_BYTES = 480 * KB;

export function* hostileCalls(portal: SizesPortal, id: number): Generator<Hostile> {
  for (const { method, path, params, body } of apiCalls) {
    const address = `/api${path.replace(/\{\w+\}/g, String(id))}`;
    const call = (query: string, sent?: string) =>
      portal.send(`${address}${query}`, {
        method,
        as: "admin",
        ...(sent === undefined
          ? {}
          : {
              headers: { "content-type": path === "/Visits/{id}" ? "application/json-patch+json" : "application/json" },
              body: sent,
            }),
      });
    const named = Object.entries(params.shape).filter(([name]) => !path.includes(`{${name}}`));
    if (named.length > 0) {
      const each = Math.floor((60 * KB) / named.length);
      const long = named.map(
        ([name, schema]) =>
          `${name}=${(listOf(schema) ? "[1]" : leafOf(schema) === "number" ? "1" : "a ").repeat(each / 3)}`,
      );
      yield {
        kind: "an API call's parameters",
        name: `${method} ${address}: parameters of 60 KB`,
        send: () => call(`?${encodeURI(long.join("&"))}`),
      };
      const many = named.map(
        ([name]) => `${name}=${encodeURIComponent(JSON.stringify(Array.from({ length: 1000 }, (_, at) => at)))}`,
      );
      yield {
        kind: "an API call's lists",
        name: `${method} ${address}: lists of 1,000`,
        send: () => call(`?${many.join("&").slice(0, 70 * KB)}`),
      };
      const most = named
        .map(([name]) => (/page.?size|limit|take/i.test(name) ? `${name}=1000000` : ""))
        .filter(Boolean);
      if (most.length > 0)
        yield {
          kind: "an API call's page size",
          name: `${method} ${address}: ${most.join("&")}`,
          send: () => call(`?${most.join("&")}`),
        };
    }
    if (body?.type !== "json") continue;
    const fields = Object.entries((body.schema as { shape?: Record<string, never> }).shape ?? {});
    const addresses = fields.filter(([name]) => /mail/i.test(name)).length;
    const domain = differentLetters(Math.floor(JSON_BYTES / 4 / Math.max(1, addresses)));
    const bodies: Record<string, string> = {
      "240,000 lists in each other": "[".repeat(JSON_BYTES / 2) + "]".repeat(JSON_BYTES / 2),
      "80,000 objects in each other": '{"a":'.repeat(JSON_BYTES / 6) + "1" + "}".repeat(JSON_BYTES / 6),
      "a list of 240,000": `[${"1,".repeat(JSON_BYTES / 2 - 2)}1]`,
      "a list of 160,000 objects": `[${"{},".repeat(JSON_BYTES / 3 - 2)}{}]`,
      "40,000 unknown names": `{${Array.from({ length: 40_000 }, (_, at) => `"a${at}":1`)
        .join(",")
        .slice(0, JSON_BYTES - 100)
        .replace(/,[^,]*$/, "")}}`,
      "a text of 480 KB in each field": JSON.stringify(
        Object.fromEntries(fields.map(([name]) => [name, "a ".repeat(JSON_BYTES / 2 / Math.max(1, fields.length))])),
      ),
      "a domain of many letters in each address": JSON.stringify(
        Object.fromEntries(fields.map(([name]) => [name, /mail/i.test(name) ? `a@${domain}.dk` : "a"])),
      ),
      "a list of 1,000 in each field": JSON.stringify(
        Object.fromEntries(fields.map(([name]) => [name, Array.from({ length: 1000 }, (_, at) => at)])),
      ),
      "a long list in each field": JSON.stringify(
        Object.fromEntries(
          fields.map(([name]) => [name, Array(Math.floor(4_900 / Math.max(1, fields.length))).fill("x".repeat(90))]),
        ),
      ),
      "a long list of objects in each field": JSON.stringify(
        Object.fromEntries(
          fields.map(([name]) => [
            name,
            Array.from({ length: Math.floor(2_400 / Math.max(1, fields.length)) }, () => ({ id: 1 })),
          ]),
        ),
      ),
      "deep lists in each field": `{${fields.map(([name]) => `${JSON.stringify(name)}:${"[".repeat(JSON_BYTES / 3 / Math.max(1, fields.length))}${"]".repeat(JSON_BYTES / 3 / Math.max(1, fields.length))}`).join(",")}}`,
    };
    for (const [what, sent] of Object.entries(bodies))
      yield { kind: `an API call's body: ${what}`, name: `${method} ${address}: ${what}`, send: () => call("", sent) };
  }
}
