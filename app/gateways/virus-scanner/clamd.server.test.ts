// @module-tag node
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clamdPeer, type Seen } from "../../../tests/support/peers/clamd-peer";
import { listening } from "../../../tests/support/peers/listening";
import { chooseVirusScanner } from "~/gateways/choose.server";
import { createClamdScanner } from "./clamd.server";
import type { ClamdOptions } from "./clamd.server";

const MEGABYTE = 1024 * 1024;
/** The industry's harmless test file, in two halves so that no scanner objects to this source. */
const EICAR = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD", "-ANTIVIRUS-TEST-FILE!$H+H*"].join("");
const patient: ClamdOptions = { connectWithin: 5000, takeWithin: 10_000, answerWithin: 10_000 };
const short: ClamdOptions = { connectWithin: 1000, takeWithin: 200, answerWithin: 200 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "clamd-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function fileWith(content: string | Buffer): Promise<string> {
  const path = join(folder, "upload");
  await writeFile(path, content);
  return path;
}

/** A sparse file of this many zero bytes. */
async function sparseFile(bytes: number): Promise<string> {
  const path = await fileWith("");
  await truncate(path, bytes);
  return path;
}

/** @returns the process's maximum growth in bytes */
async function memoryDuring<T>(act: () => Promise<T>): Promise<{ peakBytes: number; result: T }> {
  const before = process.memoryUsage.rss();
  let peakBytes = 0;
  const measure = () => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss() - before));
  const watch = setInterval(measure, 20);
  const result = await act().finally(() => clearInterval(watch));
  measure();
  return { peakBytes, result };
}

describe("against a peer of our own", () => {
  const listen = listening();
  async function peer(answer: string | null, more?: { early: boolean }): Promise<{ port: number; seen: Seen }> {
    const { server, seen } = clamdPeer(answer, more);
    return { port: await listen(server), seen };
  }

  const scannerAt = (port: number, options = patient) => createClamdScanner({ host: "127.0.0.1", port }, options);

  test("a clean file arrives byte for byte and is called clean", async () => {
    const { port, seen } = await peer("stream: OK");
    const content = Buffer.from(Array.from({ length: 700_001 }, (_, i) => i % 251));
    expect(await scannerAt(port).scan(await fileWith(content))).toBe("clean");
    expect(Buffer.compare(seen.content, content)).toBe(0);
  });

  test.each([
    ["stream: Win.Test.EICAR_HDB-1 FOUND", "infected"],
    ["stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND", "tooComplex"],
    ["stream: Heuristics.Encrypted.PDF FOUND", "encrypted"],
    ["stream: Heuristics.Encrypted.Zip FOUND", "encrypted"],
    ["stream: (null) FOUND", "scannerError"],
    ["stream: Heuristics.Phishing.Email.SpoofedDomain FOUND", "infected"],
    ["INSTREAM size limit exceeded. ERROR", "tooLarge"],
    ["stream: Can't allocate memory ERROR", "scannerError"],
    ["stream: OK…", "noAnswer"],
    ["stream: Win.Test FOUND…", "noAnswer"],
    ["OK", "scannerError"],
    ["", "scannerError"],
  ])("%s is %s", async (answer, result) => {
    const { port } = await peer(answer);
    expect(await scannerAt(port).scan(await fileWith("hej"))).toBe(result);
  });

  test("an answer that does not end is no scan", async () => {
    const { port } = await peer("x".repeat(5000));
    expect(await scannerAt(port).scan(await fileWith("hej"))).toMatch(/^(scannerError|noAnswer)$/);
  });

  test("an OK before the whole file was sent does not count", async () => {
    const { port } = await peer("stream: OK", { early: true });
    expect(await scannerAt(port).scan(await sparseFile(20 * MEGABYTE))).toBe("scannerError");
  });

  test("no answer, no peer and no file are each reported as what they are, quickly", async () => {
    const { port } = await peer(null);
    const begun = performance.now();
    expect(await scannerAt(port, short).scan(await fileWith("hej"))).toBe("noAnswer");
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(await scannerAt(port).scan(join(folder, "missing"))).toBe("unreadable");
    expect(await scannerAt(1).scan(await fileWith("hej"))).toBe("noConnection");
    expect(await scannerAt(1).state()).toBe("silent");
    expect(await createClamdScanner({ path: join(folder, "no.sock") }, short).scan(await fileWith("hej"))).toBe(
      "noConnection",
    );
  });

  test("gives up on a peer that stops reading, without buffering the file in memory", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.pause();
    });
    const port = await listen(server);
    const path = await sparseFile(512 * MEGABYTE);
    const { peakBytes, result } = await memoryDuring(() =>
      scannerAt(port, { ...short, maxBytes: 1024 * MEGABYTE }).scan(path),
    );
    expect(result).toBe("noAnswer");
    expect(peakBytes).toBeLessThan(150 * MEGABYTE);
  });

  test("does not send a file larger than clamd scans", async () => {
    const { port, seen } = await peer("stream: OK");
    expect(await scannerAt(port, { ...patient, maxBytes: 1000 }).scan(await sparseFile(1001))).toBe("tooLarge");
    expect(seen.bytes).toBe(0);
    expect(await scannerAt(port, { ...patient, maxBytes: 1000 }).scan(await sparseFile(1000))).toBe("clean");
  });

  test("1 GB goes through in little memory", async () => {
    // Counts only: the greeting, 4096 pieces with their lengths, and the closing zero.
    const expected = "zINSTREAM\0".length + 1024 * MEGABYTE + 4 * (4096 + 1);
    let received = 0;
    const server = createServer((socket) => {
      socket.on("data", (chunk) => {
        received += chunk.length;
        if (received === expected) socket.end("stream: OK\0");
      });
    });
    const port = await listen(server);
    const path = await sparseFile(1024 * MEGABYTE);
    const { peakBytes, result } = await memoryDuring(() =>
      scannerAt(port, { ...patient, maxBytes: 1024 * MEGABYTE }).scan(path),
    );
    expect(result).toBe("clean");
    expect(received).toBe(expected);
    expect(peakBytes).toBeLessThan(150 * MEGABYTE);
  });

  test("health state and label", async () => {
    const { port } = await peer("stream: OK");
    const scanner = chooseVirusScanner({ clamdUrl: `tcp://127.0.0.1:${port}`, maxMegabytes: 40 });
    expect(await scanner.state()).toBe("answers");
    expect(scanner).toMatchObject({ name: `clamd tcp://127.0.0.1:${port}`, label: "ClamAV (filer op til 40 MB)" });
  });
});

test("the configured driver", async () => {
  expect(chooseVirusScanner({ clamdUrl: null }).name).toBe("ingen");
  expect(chooseVirusScanner({ clamdUrl: "unix:/run/clamav/clamd.ctl" }).name).toBe("clamd unix:/run/clamav/clamd.ctl");
  expect(chooseVirusScanner({ clamdUrl: "tcp://[::1]:3310" }).name).toBe("clamd tcp://::1:3310");
  for (const clamdUrl of [
    "",
    "clamd",
    "http://localhost:3310",
    "tcp://localhost",
    "tcp://localhost:99999",
    "unix:relative",
  ]) {
    expect(() => chooseVirusScanner({ clamdUrl })).toThrow(RangeError);
  }
});

const clamd = ["/usr/sbin/clamd", "/usr/local/sbin/clamd"].find((path) => existsSync(path));
if (clamd === undefined)
  process.stderr.write("Skipped: the tests against a real clamd (apt-get install clamav-daemon)\n");

describe.skipIf(clamd === undefined)("against a real clamd", () => {
  let home: string;
  let daemon: ChildProcess;
  let socket: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "real-clamd-"));
    socket = join(home, "clamd.sock");
    await mkdir(join(home, "database"));
    // Signatures cannot be downloaded here, so EICAR gets one of our own.
    await writeFile(join(home, "database", "own.ndb"), `Own.Eicar:0:*:${Buffer.from(EICAR).toString("hex")}\n`);
    await writeFile(
      join(home, "clamd.conf"),
      [
        `LocalSocket ${socket}`,
        `DatabaseDirectory ${join(home, "database")}`,
        `TemporaryDirectory ${home}`,
        "Foreground yes",
      ]
        .concat(["StreamMaxLength 4M", "MaxFileSize 1M", "MaxScanSize 2M"])
        .join("\n"),
    );
    daemon = spawn(clamd!, ["--config-file", join(home, "clamd.conf")], { stdio: "ignore" });
    const until = Date.now() + 30_000;
    while ((await createClamdScanner({ path: socket }).state()) !== "answers") {
      if (daemon.exitCode !== null || Date.now() > until) throw new Error("clamd did not start");
      await new Promise((later) => setTimeout(later, 100));
    }
  });
  afterAll(async () => {
    if (daemon.exitCode === null) {
      const gone = new Promise((done) => daemon.once("exit", done));
      daemon.kill();
      await gone;
    }
    await rm(home, { recursive: true, force: true });
  });

  const scan = async (path: string, maxBytes = MEGABYTE) =>
    createClamdScanner({ path: socket }, { maxBytes }).scan(path);

  test("EICAR is found, at the start and at the end of what clamd looks into", async () => {
    expect(await scan(await fileWith(EICAR))).toBe("infected");
    const largest = Buffer.alloc(MEGABYTE, "a");
    largest.write(EICAR, MEGABYTE - EICAR.length, "latin1");
    expect(await scan(await fileWith(largest))).toBe("infected");
  });

  test("harmless and empty files are clean", async () => {
    expect(await scan(await fileWith("Henvisning til fjernelse af 48"))).toBe("clean");
    expect(await scan(await fileWith(""))).toBe("clean");
  });

  test("a file beyond StreamMaxLength is reported as not scanned, though clamd hangs up", async () => {
    const beyond = /^(tooLarge|noAnswer)$/;
    expect(await scan(await sparseFile(60 * MEGABYTE), 100 * MEGABYTE)).toMatch(beyond);
    expect(await scan(await sparseFile(5 * MEGABYTE), 100 * MEGABYTE)).toMatch(beyond);
  });

  test("our limit keeps a file beyond clamd's from being called clean", async () => {
    const path = await sparseFile(2 * MEGABYTE);
    const file = await open(path, "r+");
    await file.write(EICAR, 0);
    await file.close();
    expect(await scan(path, 3 * MEGABYTE), "clamd itself").toBe("clean");
    expect(await scan(path)).toBe("tooLarge");
  });

  test("many at once", async () => {
    const path = await fileWith(EICAR);
    expect(await Promise.all(Array.from({ length: 30 }, () => scan(path)))).toEqual(Array(30).fill("infected"));
  });
});
