import { readdirSync } from "node:fs";
import { apiCalls } from "~/http/api/api-calls.server";
import type { Random } from "~db/demo/content/seeded-random";

/** A request as it is sent; made from a seed alone, so that a failing one can be made again. */
export interface RandomRequest {
  who: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** A form as a page has it: what a mutation begins from. */
export interface KnownForm {
  who: string;
  action: string;
  enctype: string;
  fields: [string, string][];
}

/** The address of every page, `{id}` where it has a parameter: the folders' names, as Remix reads them. */
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

const TEXTS = [
  "",
  " ",
  "0",
  "-1",
  "1",
  "2",
  "999999999999",
  "1e9",
  "NaN",
  "null",
  "undefined",
  "true",
  "[]",
  "[1,2]",
  "{}",
  '{"a":1}',
  "12:3",
  "1;2",
  "=1+1",
  "' or 1=1 --",
  "%",
  "%00",
  "\0",
  "\u202e",
  "🦷",
  "æøå",
  "ﷺ",
  "\r\nX: y",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "0101804100",
  "610180-4100",
  "610180",
  "4100",
  "01.01.2026",
  "31.02.2026",
  "2026-01-01",
  "2026-13-45",
  "0000-00-00",
  "9999-12-31",
  "12:30",
  "25:99",
  "a@b.dk",
  "8000",
  "constructor",
  "__proto__",
  "toString",
  "x".repeat(201),
  "æ".repeat(5000),
  "x".repeat(70_000),
  "𝔘".repeat(300),
  "\ud800",
  "/management/overview",
  "//evil.example",
  "javascript:alert(1)",
];
const NAMES = [
  "intent",
  "formId",
  "formKey",
  "referralId",
  "version",
  "seenVersion",
  "status",
  "pick",
  "f",
  "to",
  "here",
  "userName",
  "password",
  "cpr6",
  "cpr4",
  "radiographType",
  "count",
  "a",
  "a[b]",
  "a[90000000]",
  "a.b",
  "__proto__",
  "constructor",
  "",
  "æ",
  "x".repeat(200),
];
const PARAMETERS = [
  "f",
  "page",
  "sort",
  "after",
  "ret",
  "form",
  "nr",
  "id",
  "vid",
  "num",
  "trmPdf",
  "trmZip",
  "mid",
  "to",
  "status",
  "size",
  "frame",
  "brightness",
  "contrast",
  "e",
  "open",
  "pick",
  "trin",
  "_data",
  "index",
  "skiftet",
  "StartDate",
  "EndDate",
  "Cpr",
  "Page",
  "PageSize",
  "Statuses",
];
const TYPES = [
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=nonsense",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "application/json",
  "application/json; charset=utf-16",
  "application/json-patch+json",
  "application/offset+octet-stream",
  "text/plain",
  "image/png",
  "*/*",
  "",
];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];
const ODD_PATHS = [
  "//",
  "/..",
  "/./",
  "/%2e%2e/",
  "/%",
  "/%ff",
  "/%00",
  "/%2f",
  "\\",
  "/;a=b",
  "/*",
  "/management/",
  "/Management",
  "/api",
  "/api/",
  "/api//Visits",
  "/build/x.js",
  "/build/",
  "/favicon.ico",
  "/robots.txt",
  "/healthz",
  "/readyz",
  "/dl/1",
  "/webhooks/sms",
  "/management/uploads",
  `/management/uploads/${"a".repeat(32)}`,
  `/${"x".repeat(3000)}`,
  "*",
  "http://x/login",
];
const HEADERS: Record<string, string[]> = {
  accept: ["text/html", "application/json", "*/*;q=0", "x"],
  "accept-encoding": ["br", "gzip", "identity;q=0", "nonsense", "gzip;q=2"],
  "accept-language": ["da", "xx-yy;q=9"],
  range: ["bytes=0-1", "bytes=-", "bytes=9-1", "bytes=0-0,2-3", "x=1-2"],
  "if-range": ['"x"', 'W/"x"'],
  "if-match": ['"1"', "*", "x", '"999999999999"'],
  "if-none-match": ["*", '"x"', "x"],
  "if-modified-since": ["yesterday"],
  "idempotency-key": ["abcdefgh", "x", "æ".repeat(64), "-".repeat(65)],
  "x-forwarded-host": ["evil.example", "a b", "[", "x:99999"],
  "x-forwarded-proto": ["javascript", "https, http"],
  "x-forwarded-for": ["1.2.3.4", "x", "::1, 2"],
  "content-encoding": ["gzip", "br"],
  origin: ["null", "https://evil.example", "x"],
  referer: ["https://evil.example/", "x"],
  "sec-fetch-site": ["cross-site", "none", "same-site", "x"],
  "user-agent": ["", "Mozilla/5.0 (Windows NT 6.1) Chrome/70.0.3538.77", "x".repeat(2000), "Googlebot"],
  "tus-resumable": ["1.0.0", "0.2.2"],
  "upload-length": ["10", "-1", "x", "99999999999999"],
  "upload-offset": ["0", "5", "x"],
  "upload-metadata": [
    "filename eA==",
    "x",
    "a b c,d",
    "formKey YWJjZGVmZ2g=,fileName YS5qcGc=,referralId MQ==,radiographType MQ==,lastModified MQ==",
  ],
  cookie: ["session=x", "session=%", "session=eyJhIjoxfQ%3D%3D", "a=b; session=", "x".repeat(3000)],
};

/** Makes requests of every kind: pages and calls, known forms with something changed in them, and nonsense. */
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
