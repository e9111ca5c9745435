import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { type DetailedError, Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDemoData, signIn, startServer } from "../../scripts/test-server.mjs";
import { type CuttingProxy, startCuttingProxy } from "../support/cutting-proxy";

const MEGABYTE = 1024 * 1024;
const CHUNK = 8 * MEGABYTE;
const wizard = "/management/henvisning-tandlaeger";

let portal: Awaited<ReturnType<typeof startServer>>;
let connection: CuttingProxy;
let dataDir: string;
const cookies = { tandlaege: "", tandlaege2: "", sekretaer: "" };

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-uploads-"));
  makeDemoData(dataDir, 1);
  await beginServing();
  connection = await startCuttingProxy(portOf(portal.origin));
  for (const who of Object.keys(cookies) as (keyof typeof cookies)[]) cookies[who] = await signIn(portal.origin, who);
}, 120_000);

afterAll(async () => {
  await connection?.close();
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function beginServing() {
  portal = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
}

/** The power goes, and comes back. */
async function killAndBeginAgain() {
  const killed = portal;
  process.kill(killed.pid!, "SIGKILL");
  await killed.stop();
  await beginServing();
  connection.aim(portOf(portal.origin));
}

const portOf = (origin: string) => Number(new URL(origin).port);

async function post(who: keyof typeof cookies, fields: Record<string, string | number>) {
  const body = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  return fetch(portal.origin + wizard, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { cookie: cookies[who], origin: portal.origin },
  });
}

let count = 0;
/** A draft that has come to step 3. */
async function draft(who: keyof typeof cookies = "tandlaege"): Promise<number> {
  count += 1;
  const form = {
    formKey: `d${count}`,
    cpr6: "610190",
    cpr4: String(2000 + count),
    firstName: "Åse",
    lastName: "Kjær",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "38.",
  };
  const saved = await post(who, { intent: "savePatient", ...form });
  const id = Number(/kladde=(\d+)/.exec(saved.headers.get("location") ?? "")?.[1]);
  await post(who, { intent: "saveReferrer", referralId: id });
  return id;
}

/** A bitmap of any size whose every part differs, so that bytes out of place change its digest. */
async function bitmap(name: string, megabytes: number): Promise<{ file: string; size: number; sha256: string }> {
  const [width, height] = [1024, Math.round((megabytes * MEGABYTE) / (1024 * 3))];
  const size = 54 + width * height * 3;
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(size, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  const file = path.join(dataDir, name);
  const out = await open(file, "w");
  const hash = createHash("sha256").update(head);
  await out.write(head);
  const row = Buffer.alloc(width * 3, 7);
  for (let y = 0; y < height; y++) {
    row.writeUInt32LE(y, (y * 31) % 3000);
    hash.update(row);
    await out.write(row);
  }
  await out.close();
  return { file, size, sha256: hash.digest("hex") };
}

interface Wanted {
  who?: keyof typeof cookies;
  referralId: number;
  source: string | Buffer;
  name: string;
  uploadUrl?: string | null;
  type?: number;
}

/** One try: answers when all has come, throws what stopped it. `at` is the upload's address for the next try. */
function send({ who = "tandlaege", referralId, source, name, uploadUrl, type = 0 }: Wanted) {
  const at: { url: string | null; headers: Record<string, string> } = { url: uploadUrl ?? null, headers: {} };
  const done = new Promise<void>((resolve, reject) => {
    const upload = new Upload(typeof source === "string" ? createReadStream(source) : source, {
      endpoint: `${connection.origin}/management/uploads`,
      uploadUrl: uploadUrl ?? null,
      chunkSize: CHUNK,
      retryDelays: null,
      storeFingerprintForResuming: false,
      headers: { cookie: cookies[who], origin: connection.origin },
      metadata: {
        referralId: String(referralId),
        formKey: `${referralId}-${name}-${Math.random()}`,
        radiographType: String(type),
        fileName: name,
        lastModified: "1790000000000",
      },
      onUploadUrlAvailable: () => void (at.url = upload.url),
      onAfterResponse: (_request, response) => {
        const file = response.getHeader("Upload-File");
        if (file) at.headers.file = file;
      },
      onSuccess: () => resolve(),
      onError: reject,
    });
    upload.start();
  });
  return { at, done };
}

async function imagesOf(referralId: number, who: keyof typeof cookies = "tandlaege"): Promise<number[]> {
  const page = await (
    await fetch(`${portal.origin}${wizard}?kladde=${referralId}&trin=3`, { headers: { cookie: cookies[who] } })
  ).text();
  return [...new Set([...page.matchAll(new RegExp(`${referralId}/files/(\\d+)`, "g"))].map(([, id]) => Number(id)))];
}

async function digestOf(referralId: number, fileId: number): Promise<string> {
  const answer = await fetch(`${portal.origin}/management/overview/${referralId}/files/${fileId}`, {
    headers: { cookie: cookies.tandlaege },
  });
  return createHash("sha256")
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest("hex");
}

/** How many files lie in the store: one an image, and a piece of an upload under way each. */
const stored = () =>
  existsSync(path.join(dataDir, "files"))
    ? readdirSync(path.join(dataDir, "files"), { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ).length
    : 0;
const statusOf = (error: unknown) => (error as DetailedError).originalResponse?.getStatus() ?? null;

test("uploads 300 MB over a connection that is cut at 30, 60 and 99 %, with a new page each time and the server killed at 75 %", async () => {
  const referralId = await draft();
  const { file, size, sha256 } = await bitmap("stor.bmp", 300);
  const before = connection.received();
  const storedBefore = stored();
  let uploadUrl: string | null = null;
  const attempt = () => {
    const { at, done } = send({ referralId, source: file, name: "stor.bmp", uploadUrl });
    const isCut = (error: unknown) => {
      if (statusOf(error) !== null) throw error;
      return false;
    };
    return done.then(() => true, isCut).finally(() => (uploadUrl = at.url));
  };
  for (const share of [0.3, 0.6]) {
    connection.cutAt(before + size * share);
    expect(await attempt()).toBe(false);
  }
  connection.cutAt(before + size * 0.75);
  const cut = attempt();
  expect(await cut).toBe(false);
  await killAndBeginAgain();
  connection.cutAt(before + size * 0.99);
  expect(await attempt()).toBe(false);
  expect(await imagesOf(referralId)).toEqual([]);
  expect(await attempt()).toBe(true);

  expect(connection.received() - before, "bytes transferred").toBeLessThan(size + 4 * CHUNK);
  const images = await imagesOf(referralId);
  expect(images).toHaveLength(1);
  expect(await digestOf(referralId, images[0]!)).toBe(sha256);
  // The piece that was under way when the server was killed is for the maintenance to find.
  expect(stored() - storedBefore).toBeLessThanOrEqual(2);
}, 120_000);

test("a server killed during an upload resumes from what is on its disk", async () => {
  const referralId = await draft();
  const { file, size, sha256 } = await bitmap("midt.bmp", 60);
  const held = connection.holdAt(connection.received() + size / 2);
  const first = send({ referralId, source: file, name: "midt.bmp" });
  const ended = first.done.then(
    () => true,
    () => false,
  );
  await held;
  await killAndBeginAgain();
  expect(await ended).toBe(false);
  await send({ referralId, source: file, name: "midt.bmp", uploadUrl: first.at.url }).done;
  const [image] = await imagesOf(referralId);
  expect(await digestOf(referralId, image!)).toBe(sha256);
}, 60_000);

test("an upload meets either of two processes, piece by piece and both at once", async () => {
  const other = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
  try {
    const referralId = await draft();
    const { file, size, sha256 } = await bitmap("to maskiner.bmp", 30);
    const bytes = await readFile(file);
    const begun = send({ referralId, source: bytes, name: "to maskiner.bmp" });
    connection.cutAt(connection.received() + CHUNK / 2);
    await begun.done.catch(() => undefined);
    const id = new URL(begun.at.url!).pathname;
    const headers = { cookie: cookies.tandlaege, "tus-resumable": "1.0.0" };
    const offsetAt = async (origin: string) =>
      Number((await fetch(origin + id, { method: "HEAD", headers })).headers.get("upload-offset"));
    const patch = (origin: string, from: number) =>
      fetch(origin + id, {
        method: "PATCH",
        headers: {
          ...headers,
          origin,
          "upload-offset": String(from),
          "content-type": "application/offset+octet-stream",
        },
        body: bytes.subarray(from, from + CHUNK),
      });
    const origins = [portal.origin, other.origin];
    let raced = 0;
    for (let at = await offsetAt(other.origin); at < size; at = await offsetAt(origins[raced % 2]!)) {
      const answers = await Promise.all(origins.map((origin) => patch(origin, at)));
      raced += 1;
      // The last piece may be finished by one while the other is told that all has come.
      const isLast = at + CHUNK >= size;
      const statuses = answers.map(({ status }) => status).toSorted();
      // The piece that was cut may be stored as late as now: then neither began where the upload stands, and both have to ask again.
      if (statuses[0] === 409) expect(await offsetAt(other.origin), "moved meanwhile").toBeGreaterThan(at);
      else if (!isLast) expect(statuses).toEqual([204, 409]);
      else expect(statuses[0]).toBe(204);
    }
    expect(raced).toBeGreaterThan(2);
    const [image] = await imagesOf(referralId);
    expect(await digestOf(referralId, image!)).toBe(sha256);
  } finally {
    await other.stop();
  }
}, 60_000);

describe("an upload of one's own", () => {
  test("is finished once, however often it is requested", async () => {
    const referralId = await draft();
    const { file } = await bitmap("en.bmp", 1);
    const { at, done } = send({ referralId, source: file, name: "en.bmp" });
    await done;
    for (let again = 0; again < 3; again++)
      await send({ referralId, source: file, name: "en.bmp", uploadUrl: at.url }).done;
    expect(await imagesOf(referralId)).toHaveLength(1);
  });

  test("is refused by name when it is attached already, and its bytes are removed", async () => {
    const referralId = await draft();
    const { file } = await bitmap("to.bmp", 1);
    await send({ referralId, source: file, name: "to.bmp" }).done;
    const storedBefore = stored();
    const error = await send({ referralId, source: file, name: "kopi.bmp" }).done.catch(
      (reason: DetailedError) => reason,
    );
    expect([statusOf(error), (error as DetailedError).originalResponse?.getBody()]).toEqual([
      400,
      "Filen er allerede vedhæftet.",
    ]);
    expect(await imagesOf(referralId)).toHaveLength(1);
    expect(stored()).toBe(storedBefore);
  });

  test("cannot be resumed by another person or after signing out", async () => {
    const referralId = await draft();
    const { file, size } = await bitmap("min.bmp", 20);
    const storedBefore = stored();
    connection.cutAt(connection.received() + size / 2);
    const { at, done } = send({ referralId, source: file, name: "min.bmp" });
    await done.catch(() => undefined);
    expect(at.url).not.toBeNull();
    const ask = (method: string, cookie: string) =>
      fetch(at.url!, {
        method,
        headers: {
          cookie,
          origin: connection.origin,
          "tus-resumable": "1.0.0",
          "upload-offset": "0",
          "content-type": "application/offset+octet-stream",
        },
      });
    for (const method of ["HEAD", "PATCH", "DELETE"]) {
      expect((await ask(method, cookies.tandlaege2)).status, `another's ${method}`).toBe(404);
      expect((await ask(method, "")).status, `nobody's ${method}`).toBe(401);
    }
    expect((await ask("GET", cookies.tandlaege)).status).toBe(405);
    expect((await ask("HEAD", cookies.tandlaege)).status).toBe(200);
    expect((await ask("DELETE", cookies.tandlaege)).status).toBe(204);
    expect((await ask("HEAD", cookies.tandlaege)).status).toBe(404);
    expect(stored()).toBe(storedBefore);
  });
});

describe("an upload that is refused before a byte has arrived", () => {
  const begin = (
    referralId: number,
    changes: {
      who?: keyof typeof cookies;
      name?: string;
      size?: string;
      type?: number;
      raw?: Record<string, string>;
    } = {},
  ) => {
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const metadata = {
      referralId: String(referralId),
      formKey: `b-${Math.random()}`,
      radiographType: String(changes.type ?? 0),
      fileName: changes.name ?? "48.jpg",
      lastModified: "1",
    };
    return fetch(`${portal.origin}/management/uploads`, {
      method: "POST",
      headers: {
        cookie: cookies[changes.who ?? "tandlaege"],
        origin: portal.origin,
        "tus-resumable": "1.0.0",
        "upload-length": changes.size ?? "1000",
        "upload-metadata": Object.entries(metadata)
          .map(([name, value]) => `${name} ${encode(value)}`)
          .join(","),
        ...changes.raw,
      },
    });
  };

  test("a referral outside the scope, and one that does not exist", async () => {
    const referralId = await draft("tandlaege2");
    for (const id of [referralId, 999_999]) expect((await begin(id)).status).toBe(404);
    expect((await begin(referralId, { who: "sekretaer" })).status, "a secretary of another clinic").toBe(404);
  });

  test.each([
    ["TIFF", { name: "scan.tiff" }, 400, "Denne filtype er ikke godkendt i dette felt."],
    ["an empty file", { size: "0" }, 400, "Filen er tom"],
    ["more than 1 GB", { size: String(1024 * MEGABYTE + 1) }, 413, "1 GB"],
    ["no type that we know", { type: 9 }, 400, ""],
    ["a length that is none", { size: "-4" }, 400, ""],
    ["a length told later", { raw: { "upload-length": "", "upload-defer-length": "1" } }, 400, ""],
    ["metadata that cannot be read", { raw: { "upload-metadata": "fileName ###" } }, 400, ""],
  ])("%s", async (_what, changes, status, text) => {
    const storedBefore = stored();
    const answer = await begin(await draft(), changes);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(text);
    expect(stored()).toBe(storedBefore);
  });

  test("any metadata and any length is answered, never with an unexpected error", async () => {
    const word = fc.string({ unit: "binary", maxLength: 40 }).map((text) => Buffer.from(text).toString("base64"));
    const ascii = fc.string({ unit: "grapheme-ascii", maxLength: 60 }).map((text) => text.trim());
    const names = fc.constantFrom("referralId", "formKey", "radiographType", "fileName", "lastModified", "__proto__");
    const metadata = fc.oneof(
      fc.array(fc.tuple(names, word), { maxLength: 7 }).map((pairs) => pairs.map((pair) => pair.join(" ")).join(",")),
      ascii,
    );
    const length = fc.oneof(fc.integer().map(String), fc.double().map(String), ascii);
    const referralId = await draft();
    const property = fc.asyncProperty(metadata, length, async (given, size) => {
      const answer = await begin(referralId, { size, raw: { "upload-metadata": given } });
      expect(answer.status, await answer.text()).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns: Number(process.env.FUZZ_RUNS ?? 200) });
  }, 600_000);

  test("an anonymous body of which only the first byte has arrived", async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const headers = {
        "content-length": String(100 * MEGABYTE),
        "content-type": "application/offset+octet-stream",
        "tus-resumable": "1.0.0",
        "upload-offset": "0",
        "sec-fetch-site": "same-origin",
      };
      const sent = http.request(`${portal.origin}/management/uploads/${"a".repeat(32)}`, {
        method: "PATCH",
        agent: false,
        headers,
      });
      sent.on("response", (response) => {
        resolve(response.statusCode ?? 0);
        sent.destroy();
      });
      sent.on("error", reject);
      sent.write("-");
    });
    expect(answer).toBe(401);
  });

  test("another site's request, and one without an origin", async () => {
    const referralId = await draft();
    expect((await begin(referralId, { raw: { origin: "https://ond.example" } })).status).toBe(403);
  });

  test("more unfinished uploads than one person may have", async () => {
    const referralId = await draft("sekretaer");
    const statuses: number[] = [];
    for (let each = 0; each < 11; each++)
      statuses.push((await begin(referralId, { who: "sekretaer", size: String(1024 * MEGABYTE) })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429]);
  });
});
