// @module-tag matrix
// @module-tag openssh
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { ediFields, ediOf } from "~/config/edi-settings.server";
import { type CuttingProxy, startCuttingProxy } from "../../../tests/support/peers/cutting-proxy";
import { type SftpServer, startSftpServer } from "../../../tests/support/peers/sftp-server";
import { chooseEdiGateway, chooseEdiInbox } from "~/gateways/choose.server";

/**
 * The EDI server behind a connection that can be cut at any step: greeting, keys, login, listing, claiming, reading,
 * removing, writing, renaming.
 */
let server: SftpServer;
let proxy: CuttingProxy;
let root: string;
beforeAll(async () => {
  server = await startSftpServer();
  proxy = await startCuttingProxy(server.port);
  root = path.join(server.folder, "edi");
});
beforeEach(() => {
  for (const name of ["in", "out"]) {
    rmSync(path.join(root, name), { recursive: true, force: true });
    mkdirSync(path.join(root, name), { recursive: true });
  }
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
});

const given = () => ({
  edi: ediOf(
    z.object(ediFields).parse({
      EDI_SFTP_URL: `sftp://${server.user}@127.0.0.1:${new URL(proxy.origin).port}${root}`,
      EDI_SFTP_KEY_FILE: server.keyFile,
      EDI_SFTP_HOST_KEY: server.hostKey,
      EDI_GLN: "5790000000005",
    }),
  ),
  dataDir: "/nowhere",
  production: true,
});

const text = (name: string) => `${name}: ${"æ".repeat(3000)}`;

function put(name: string): void {
  const file = path.join(root, "in", name);
  writeFileSync(file, text(name), "latin1");
  const at = Date.now() / 1000 - 600;
  utimesSync(file, at, at);
}

/** Records files read completely; a claim left by a broken run expires after a quarter of an hour. */
async function take(now: Date, seen: Set<string>): Promise<void> {
  await chooseEdiInbox(given())!.takeEach(async (file) => {
    const bytes = (await file.read()).toString("latin1");
    expect(bytes).toBe(text(file.name));
    seen.add(file.name);
    return "done";
  }, now);
}

/** Byte offsets from greeting to goodbye, denser where files are transferred. */
function steps(whole: number): number[] {
  const first = [1, 200, 1000, 1800].filter((bytes) => bytes < whole);
  return [...first, ...Array.from({ length: 22 }, (_, step) => Math.round(whole - 20 - (step * (whole - 1900)) / 22))];
}

test("each file is read once and whole, wherever the connection is lost", async () => {
  let now = new Date("2026-12-01T09:00:00Z");
  const later = () => (now = new Date(now.getTime() + 16 * 60_000));
  const arrive = async (where: string, cutAt: number) => {
    const seen = new Set<string>();
    put("a.xml");
    put("b.xml");
    proxy.cutAt(cutAt);
    await take(later(), seen).catch((error: Error) => expect(error.name, where).not.toBe("AssertionError"));
    proxy.cutAt(Infinity);
    await take(later(), seen);
    expect([...seen].toSorted(), where).toEqual(["a.xml", "b.xml"]);
    expect(readdirSync(path.join(root, "in")), where).toEqual([]);
  };
  const before = proxy.received();
  put("a.xml");
  put("b.xml");
  await take(later(), new Set());
  for (const bytes of steps(proxy.received() - before)) await arrive(`after ${bytes} bytes`, proxy.received() + bytes);
});

test("a sent message is stored once, or reported as possibly sent", async () => {
  let count = 0;
  const message = () => {
    const key = `outbox-${(count += 1)}`;
    const names = [`edi-${count}-bin.xml`, `edi-${count}.xml`];
    return { key, files: names.map((name) => ({ name, bytes: Buffer.from(text(name), "latin1") })) };
  };
  const send = (one: ReturnType<typeof message>) => chooseEdiGateway(given()).send(one, AbortSignal.timeout(20_000));
  const before = proxy.received();
  expect(await send(message())).toMatchObject({ outcome: "sent" });
  for (const bytes of steps(proxy.received() - before)) {
    const one = message();
    proxy.cutAt(proxy.received() + bytes);
    const result = await send(one);
    proxy.cutAt(Infinity);
    const there = readdirSync(path.join(root, "out")).filter((name) => one.files.some((file) => file.name === name));
    expect(["retry", "sent"], `after ${bytes} bytes`).toContain(result.outcome);
    if (there.length > 0) expect(result, `after ${bytes} bytes`).toMatchObject({ reference: one.key });
    expect(await send(one)).toMatchObject({ outcome: "sent" });
    for (const { name, bytes: all } of one.files)
      expect(readFileSync(path.join(root, "out", name)).equals(all), `after ${bytes} bytes`).toBe(true);
  }
  expect(readdirSync(path.join(root, "out")).filter((name) => name.endsWith(".part"))).toEqual([]);
});
