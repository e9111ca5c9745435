import { differentLetters, type Hostile, KB } from "./hostile";
import type { SizesPortal } from "./sizes-portal";

const HEADERS = [
  "referer",
  "user-agent",
  "accept",
  "accept-language",
  "accept-encoding",
  "if-none-match",
  "if-match",
  "range",
  "x-forwarded-for",
  "content-type",
  "authorization",
  "origin",
];
/** Repeated parts of a header that make parsing expensive. */
const HEADER_UNITS = ["a", "a, ", "a;q=0.1,", "(", " ", "1-2,"];
const NEARLY_ALL_HEADERS = 78 * KB;

export function* hostileHeaders(portal: SizesPortal, page: string): Generator<Hostile> {
  for (const header of HEADERS)
    for (const unit of HEADER_UNITS)
      yield {
        kind: `the header ${header}`,
        name: `${header}: 78 KB of ${JSON.stringify(unit)}`,
        send: () =>
          portal.send(page, {
            as: "tandlaege",
            headers: { [header]: `a${unit.repeat(NEARLY_ALL_HEADERS / unit.length)}` },
          }),
      };
  for (const header of ["referer", "origin"])
    for (const method of ["GET", "POST"])
      yield {
        kind: `the header ${header} of many letters`,
        name: `${method}: ${header} with a host of 8,500 different letters`,
        send: () =>
          portal.send(page, {
            method,
            as: "tandlaege",
            headers: {
              "content-type": "application/x-www-form-urlencoded",
              [header]: `http://${encodeURIComponent(differentLetters(8500))}.dk/management`,
            },
          }),
      };
  for (const unit of ["a=b; ", "session=x; ", "=", ";", "%41"])
    yield {
      kind: "the header cookie",
      name: `cookie: 76 KB of ${JSON.stringify(unit)}`,
      send: () => portal.send(page, { headers: { cookie: unit.repeat((76 * KB) / unit.length) } }),
    };
  yield {
    kind: "headers, 1,900 of them",
    name: "1,900 headers",
    send: () =>
      portal.send(page, { headers: Object.fromEntries(Array.from({ length: 1900 }, (_, at) => [`x-${at}`, "a"])) }),
  };
  yield {
    kind: "headers beyond what is read",
    name: "a header of 200 KB",
    send: () => portal.send(page, { headers: { "x-long": "a".repeat(200 * KB) } }),
  };
}

export function* hostileAddresses(portal: SizesPortal, pages: readonly string[]): Generator<Hostile> {
  const long = 70 * KB;
  for (const page of pages)
    for (const [what, query] of Object.entries({
      "a parameter of 70 KB": `f=${"a".repeat(long)}`,
      "10,000 parameters": Array.from({ length: 10_000 }, (_, at) => `a${at}=b`)
        .join("&")
        .slice(0, long),
      "a parameter 12,000 times": "nr=1&".repeat(12_000),
      "a list of 15,000 numbers": `nr=${"123-".repeat(15_000)}&valgt=${"1.".repeat(2000)}`,
      "a page of 15 digits": "side=999999999999999&page=999999999999999&Page=999999999999999",
    }))
      yield {
        kind: `an address with ${what}`,
        name: `${page} with ${what}`,
        send: () => portal.send(`${page}${page.includes("?") ? "&" : "?"}${query}`, { as: "admin" }),
      };
  for (const path of [
    "/a".repeat(30_000),
    `/${"%41".repeat(20_000)}`,
    `/management/overview/${"1".repeat(60_000)}`,
    `/api/Visits/${"1".repeat(60_000)}`,
    `/api${"/a".repeat(30_000)}`,
    `/${"../".repeat(20_000)}`,
  ])
    yield {
      kind: "a long path",
      name: `the path ${path.slice(0, 30)}… of ${path.length}`,
      send: () => portal.send(path, { as: "admin" }),
    };
}
