/** A simulated user who submits again until an answer comes. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ticketIn } from "../test-server.mjs";

const GIVE_UP_AFTER_MS = 90_000;
const AGAIN = new Set([500, 502, 503, 504]);

/** @typedef {{ status: number, location: string, text: string, headers: Headers, bytes: Buffer }} Answer */

/** Signs in; returns the possible requests. `pressedAgain` counts missing answers and 503s. */
export async function signInAs(origin, userName, password) {
  const person = { origin, cookie: "", pressedAgain: 0, maxMs: 0 };
  await untilAnswered(person, async () => {
    const page = await send(person, "/login", {});
    const inputs = page.text.match(/<input\b[^<>]*>/g) ?? [];
    const hidden = inputs
      .filter((input) => input.includes('type="hidden"'))
      .map((input) => [/\bname="([^"]*)"/.exec(input)?.[1] ?? "", /\bvalue="([^"]*)"/.exec(input)?.[1] ?? ""]);
    return send(person, "/login", form({ ...Object.fromEntries(hidden), userName, password, intent: "signIn" }));
  });
  return {
    ...asking(person),
    get pressedAgain() {
      return person.pressedAgain;
    },
    get maxMs() {
      return person.maxMs;
    },
  };
}

const asking = (person) => ({
  get: (address) => untilAnswered(person, () => send(person, address, {})),
  /** Opens the page and submits a form of it. @returns {Promise<Answer>} */
  async post(address, fields) {
    const page = await untilAnswered(person, () => send(person, address, {}));
    if (page.status !== 200) return page;
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
    const sent = [...pairs, ["ticket", ticketIn(page.text, Object.fromEntries(pairs).intent)]];
    return untilAnswered(person, () => send(person, address, form(sent)));
  },
  /** `page` is the address of the page with the file field. */
  upload: (page, file, pieces) => upload(person, page, file, pieces),
});

/** Uploads a file in pieces; after a lost one asks for the offset. */
async function upload(person, page, { referralId, fileName, bytes }, pieces) {
  const { text } = await untilAnswered(person, () => send(person, page, {}));
  const formKey = randomUUID();
  const metadata = { referralId, formKey, radiographType: 2, fileName, lastModified: 1, ticket: ticketIn(text) };
  const begun = await untilAnswered(person, () =>
    send(person, "/management/uploads", {
      method: "POST",
      headers: {
        "upload-length": String(bytes.length),
        "upload-metadata": Object.entries(metadata)
          .map(([name, value]) => `${name} ${Buffer.from(String(value)).toString("base64")}`)
          .join(","),
      },
    }),
  );
  if (begun.status !== 201) throw new Error(`An upload was not begun: ${begun.status} ${begun.text}`);
  const piece = Math.ceil(bytes.length / pieces);
  for (;;) {
    const at = await untilAnswered(person, () => send(person, begun.location, { method: "HEAD" }));
    const offset = Number(at.headers.get("upload-offset"));
    if (at.status !== 200) throw new Error(`An upload of ${bytes.length} bytes is not there any more: ${at.status}`);
    if (offset === bytes.length) return Number(at.headers.get("upload-file"));
    const sent = await send(person, begun.location, {
      method: "PATCH",
      headers: { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
      body: bytes.subarray(offset, offset + piece),
    }).catch(() => undefined);
    if (sent === undefined || AGAIN.has(sent.status)) person.pressedAgain += 1;
    if (sent === undefined || sent.status !== 204) await pause(200);
  }
}

/** A list of pairs may repeat a name. */
const form = (fields) => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(
    (Array.isArray(fields) ? fields : Object.entries(fields)).map(([name, value]) => [name, String(value)]),
  ).toString(),
});

async function send(person, address, { method = "GET", headers = {}, body = undefined }) {
  const answer = await fetch(new URL(address, person.origin), {
    method,
    ...(body === undefined ? {} : { body }),
    redirect: "manual",
    headers: {
      cookie: person.cookie,
      origin: person.origin,
      "sec-fetch-site": "same-origin",
      ...(address.includes("/uploads") ? { "tus-resumable": "1.0.0" } : {}),
      ...headers,
    },
    signal: AbortSignal.timeout(30_000),
  });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  if (cookies.length > 0) person.cookie = cookies.filter((cookie) => !cookie.endsWith("=")).join("; ");
  const bytes = Buffer.from(await answer.arrayBuffer());
  return {
    status: answer.status,
    location: answer.headers.get("location") ?? "",
    headers: answer.headers,
    bytes,
    text: bytes.toString("utf8"),
  };
}

async function untilAnswered(person, ask) {
  const began = performance.now();
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer && !AGAIN.has(answer.status)) {
      person.maxMs = Math.max(person.maxMs, performance.now() - began);
      return answer;
    }
    if (performance.now() - began > GIVE_UP_AFTER_MS)
      throw new Error(
        `Nobody answered for ${GIVE_UP_AFTER_MS / 1000} s: ${answer?.status} ${answer?.text.slice(0, 200)}`,
      );
    person.pressedAgain += 1;
    await pause(200);
  }
}
