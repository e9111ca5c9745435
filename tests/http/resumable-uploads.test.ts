// @module-tag node
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { DetailedError } from "tus-js-client";
import { describe, expect, test } from "vitest";
import { startServer } from "../../scripts/test-server.mjs";
import { CHUNK, portOf, statusOf, cutConnectionPortal } from "./cut-connection-portal";

const { portal, connection, draft, bitmap, send, imagesOf, stored } = cutConnectionPortal();

async function killAndBeginAgain() {
  await portal.cutPower();
  connection.aim(portOf(portal.origin));
}

async function digestOf(referralId: number, fileId: number): Promise<string> {
  const answer = await fetch(`${portal.origin}/management/overview/${referralId}/files/${fileId}`, {
    headers: { cookie: portal.cookies.tandlaege! },
  });
  return createHash("sha256")
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest("hex");
}

test("uploads 300 MB over a connection cut at 30, 60 and 99 %, server killed", { tags: "matrix" }, async () => {
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
  // The interrupted piece is left to the cleanup job.
  expect(stored() - storedBefore).toBeLessThanOrEqual(2);
});

test("a server killed during an upload resumes from what is on its disk", { tags: "matrix" }, async () => {
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
});

test("an upload meets either of two processes, piece by piece and both at once", async () => {
  const other = await startServer({ env: { NODE_ENV: "development", DATA_DIR: portal.dataDir } });
  try {
    const referralId = await draft();
    const { file, size, sha256 } = await bitmap("to maskiner.bmp", 30);
    const bytes = await readFile(file);
    const begun = send({ referralId, source: bytes, name: "to maskiner.bmp" });
    connection.cutAt(connection.received() + CHUNK / 2);
    await begun.done.catch(() => undefined);
    const id = new URL(begun.at.url!).pathname;
    const headers = { cookie: portal.cookies.tandlaege!, "tus-resumable": "1.0.0" };
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
      // One request may finish the last piece while the other learns that all has arrived.
      const isLast = at + CHUNK >= size;
      const statuses = answers.map(({ status }) => status).toSorted();
      // The interrupted piece may be stored only now: neither began at the upload's offset, and both ask again.
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
});

describe("an upload of one's own", () => {
  test("is finished once and answered alike, however often it is requested", async () => {
    const referralId = await draft();
    const { file } = await bitmap("en.bmp", 1);
    const { at, done } = send({ referralId, source: file, name: "en.bmp" });
    await done;
    expect(at.headers.file).toBeDefined();
    for (let again = 0; again < 3; again++) {
      const repeated = send({ referralId, source: file, name: "en.bmp", uploadUrl: at.url });
      await repeated.done;
      expect(repeated.at.headers.file, "the same image").toBe(at.headers.file);
    }
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
      expect((await ask(method, portal.cookies.tandlaege2!)).status, `another's ${method}`).toBe(404);
      expect((await ask(method, "")).status, `nobody's ${method}`).toBe(401);
    }
    expect((await ask("GET", portal.cookies.tandlaege!)).status).toBe(405);
    expect((await ask("HEAD", portal.cookies.tandlaege!)).status).toBe(200);
    expect((await ask("DELETE", portal.cookies.tandlaege!)).status).toBe(204);
    expect((await ask("HEAD", portal.cookies.tandlaege!)).status).toBe(404);
    expect(stored()).toBe(storedBefore);
  });
});
