import { readdirSync } from "node:fs";
import { apiCalls } from "~/http/api/api-calls.server";
import type { Random } from "~/demo/content/seeded-random.server";
import { HEADERS, METHODS, NAMES, ODD_PATHS, PARAMETERS, TEXTS, TYPES } from "./random-request-values";

/** A request derived from a seed, so that a failing one can be repeated. */
export interface RandomRequest {
  who: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** A form found on a page, from which mutations start. */
export interface KnownForm {
  who: string;
  page: string;
  intent: string;
  action: string;
  enctype: string;
  /** Text fields with their maximum length; 0 if unknown. */
  typed: Record<string, number>;
  fields: [string, string][];
}

/** Address of every page by Remix's folder names, with `{id}` for parameters. */
export function pageAddresses(): string[] {
  return readdirSync("app/routes").map((folder) => {
    const segments = folder
      .replace(/\[\.\]/g, "\0")
      .split(".")
      .filter((segment) => segment !== "_index")
      .map((segment) => segment.replace(/_$/, "").replaceAll("\0", "."));
    return `/${segments.map((segment) => (segment === "$" ? "Account" : segment.startsWith("$") ? "{id}" : segment)).join("/")}`;
  });
}

/** Creates requests of every kind: pages, calls, mutated forms, and nonsense. */
export function createRequests(
  random: Random,
  { people, forms, ids }: { people: string[]; forms: KnownForm[]; ids: number[] },
): () => RandomRequest {
  const pages = pageAddresses();
  const text = () => (random.chance(0.2) ? String(random.pick([...ids, -1, 0])) : random.pick(TEXTS));
  const filled = (address: string) =>
    address.replace(/\{\w+\}/g, () =>
      random.chance(0.8)
        ? String(random.pick(ids))
        : encodeURIComponent(random.pick(TEXTS.filter((each) => each !== "\ud800")).slice(0, 100)),
    );
  const query = () => {
    const parameters = Array.from(
      { length: random.integer(0, random.chance(0.02) ? 300 : 3) },
      () => [random.pick(PARAMETERS), text().slice(0, 500)] as [string, string],
    );
    return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters).toString().slice(0, 6000)}`;
  };
  const oddHeaders = () => {
    const headers: Record<string, string> = {};
    for (let count = random.integer(0, random.chance(0.3) ? 4 : 1); count > 0; count -= 1) {
      const name = random.pick(Object.keys(HEADERS));
      headers[name] = Buffer.from(random.pick(HEADERS[name]!)).toString("latin1");
    }
    return headers;
  };
  const fields = (): [string, string][] => {
    const count = random.chance(0.03) ? random.pick([199, 201, 1001, 2001, 5000]) : random.integer(0, 8);
    const one = random.chance(0.5) ? random.pick(NAMES) : null;
    return Array.from({ length: count }, (_, index) => [
      count > 100 ? (one ?? `a${index}`) : (one ?? random.pick(NAMES)),
      count > 100 ? "" : text(),
    ]);
  };
  const changed = (known: [string, string][]): [string, string][] => {
    const result = known.map(([name, value]) => [name, value] as [string, string]);
    for (let count = random.integer(1, 3); count > 0; count -= 1) {
      const at = result.length === 0 ? -1 : random.integer(0, result.length - 1);
      const way = random.integer(0, 4);
      if (way === 0 && at >= 0) result.splice(at, 1);
      else if (way === 1 && at >= 0) result.push([...result[at]!]);
      else if (way === 2) result.push([random.pick(NAMES), text()]);
      else if (at >= 0) result[at] = [result[at]![0], text()];
    }
    return result;
  };
  const multipart = (parts: [string, string][]): Buffer => {
    const pieces = parts.map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name.replace(/["\r\n\0]/g, "_")}"\r\n\r\n${value}\r\n`,
    );
    if (random.chance(0.4))
      pieces.push(
        `--x\r\nContent-Disposition: form-data; name="${random.pick(["images", "journals", "approval", "attachments", "radiographs", "AppointmentFile", "Radiographs", "a"])}"; filename="${random.pick(["a.jpg", "", "../a.png", "æ.pdf", "a.dcm", "a.csv", "x".repeat(300)])}"\r\nContent-Type: ${random.pick(["image/jpeg", "text/plain", "x"])}\r\n\r\n${text()}\r\n`,
      );
    return Buffer.from(`${pieces.join("")}${random.chance(0.9) ? "--x--\r\n" : ""}`);
  };
  const encoded = (parts: [string, string][]) => Buffer.from(new URLSearchParams(parts).toString());
  const json = () => {
    const value = random.pick<unknown>([
      {},
      [],
      null,
      1,
      "x",
      [1, 2],
      { ids: [1] },
      { ids: Array.from({ length: 5000 }, () => 1) },
      [{ op: "replace", path: "/status", value: 3 }],
      [{ op: "add", path: "/__proto__/x", value: 1 }],
      Object.fromEntries(fields()),
    ]);
    return Buffer.from(
      random.chance(0.05)
        ? `${"[".repeat(50_000)}`
        : random.chance(0.1)
          ? JSON.stringify(value).slice(1)
          : JSON.stringify(value),
    );
  };
  const own = { "sec-fetch-site": "same-origin" };

  const page = (who: string): RandomRequest => ({
    who,
    method: random.chance(0.9) ? "GET" : random.pick(METHODS),
    target: filled(random.pick(pages)) + query(),
    headers: oddHeaders(),
    body: null,
  });
  const form = (who: string): RandomRequest => {
    const known = random.pick(forms.filter((each) => each.who === who || random.chance(0.1)).concat(forms.slice(0, 1)));
    const parts = random.chance(0.85) ? changed(known.fields) : fields();
    const isMultipart = known.enctype === "multipart/form-data" || random.chance(0.1);
    const scripted = random.chance(0.3)
      ? `${known.action.includes("?") ? "&" : "?"}_data=${encodeURIComponent(random.pick(["root", "routes/management", "routes/login", "routes/management.overview", "routes/management.overview.$visitId", "routes/management.henvisning-tandlaeger", "x"]))}`
      : "";
    const headers = {
      ...own,
      "content-type": isMultipart ? "multipart/form-data; boundary=x" : TYPES[0]!,
      ...(random.chance(0.1) ? oddHeaders() : {}),
    };
    return {
      who,
      method: "POST",
      target: known.action + scripted,
      headers,
      body: isMultipart ? multipart(parts) : encoded(parts),
    };
  };
  const call = (who: string): RandomRequest => {
    const route = random.pick(apiCalls);
    const isForm = route.body?.type === "form";
    const names = Object.keys((route.body?.schema as { shape?: object } | undefined)?.shape ?? {});
    const parts: [string, string][] = names.filter(() => random.chance(0.7)).map((name) => [name, text()]);
    const parameters = Object.keys(route.params.shape)
      .filter(() => random.chance(0.6))
      .map((name) => [name, text().slice(0, 300)]);
    const body =
      route.body === null
        ? null
        : isForm
          ? multipart(parts)
          : random.chance(0.6)
            ? Buffer.from(
                JSON.stringify(
                  Object.fromEntries(
                    parts.map(([name, value]) => [
                      name,
                      random.pick<unknown>([value, Number(value), value === "true", [value], null]),
                    ]),
                  ),
                ),
              )
            : json();
    return {
      who,
      method: random.chance(0.95) ? route.method : random.pick(METHODS),
      target: `/api${filled(route.path)}?${new URLSearchParams(parameters as [string, string][]).toString()}`,
      headers: {
        ...own,
        ...(body ? { "content-type": isForm ? "multipart/form-data; boundary=x" : "application/json" } : {}),
        ...(random.chance(0.2) ? oddHeaders() : {}),
      },
      body,
    };
  };
  const nonsense = (who: string): RandomRequest => {
    const type = random.pick(TYPES);
    const body = random.pick([
      null,
      encoded(fields()),
      multipart(fields()),
      json(),
      Buffer.from(text()),
      Buffer.alloc(random.integer(0, 3000), random.integer(0, 255)),
    ]);
    const target = random.chance(0.5)
      ? random.pick(ODD_PATHS)
      : filled(random.pick(pages)) + random.pick(["", ...ODD_PATHS.slice(0, 10)]);
    return {
      who,
      method: random.pick(METHODS),
      target: `${target}${query()}`,
      headers: { ...(random.chance(0.7) ? own : {}), ...(type ? { "content-type": type } : {}), ...oddHeaders() },
      body,
    };
  };
  return () => {
    const kind = random.next();
    const who = random.pick(people);
    return kind < 0.3 ? page(who) : kind < 0.65 ? form(who) : kind < 0.85 ? call(who) : nonsense(who);
  };
}
