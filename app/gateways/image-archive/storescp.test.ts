// @module-tag matrix
// @module-tag dcmtk
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseDicomHeader } from "~/files/dicom/dicom-header.server";
import { startCuttingProxy } from "../../../tests/support/peers/cutting-proxy";
import { findDcmtk } from "../../../tests/support/dcmtk.mjs";
import { createDimseArchive } from "./dimse.server";
import type { ArchiveInstance } from "./port";

let folder: string;
let running: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "storescp-"));
  running = [];
});
afterEach(async () => {
  for (const child of running) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** @returns its port once it listens; `limit` is the maximum file size in kilobytes */
async function startStorescp(options: string[] = [], limit = "unlimited"): Promise<number> {
  const port = await freePort();
  const script = `trap '' XFSZ; ulimit -f ${limit}; exec "${path.join(findDcmtk()!, "storescp")}" "$@"`;
  const words = ["-c", script, "storescp", "-aet", "ARKIV", "-od", folder, "+B", ...options, String(port)];
  running.push(spawn("/bin/bash", words, { stdio: "ignore" }));
  for (let tries = 0; tries < 200; tries += 1) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.once("error", () => resolve(false)).once("connect", () => socket.end());
    });
    if (isUp) return port;
    await pause(25);
  }
  throw new Error("storescp does not listen");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function anImage(): Promise<{ bytes: Buffer; instance: ArchiveInstance }> {
  const bytes = readFileSync("tests/files/dicom/CT_small.dcm");
  const { sopClass, sopInstance, study, series, transferSyntax, dataSetOffset } = (await parseDicomHeader(
    bytes,
    true,
  ))!;
  const instance = {
    sopClass: sopClass!,
    sopInstance: sopInstance!,
    study: study!,
    series: series!,
    patientId: "1CT1",
    transferSyntax,
    dataSetOffset,
    sizeBytes: bytes.length,
    open: async () => Readable.from([bytes]),
  };
  return { bytes, instance };
}

async function send(port: number, instance: ArchiveInstance) {
  const archive = createDimseArchive({ host: "127.0.0.1", port, calledTitle: "ARKIV", callingTitle: "HENVISNING" });
  return archive.send({ key: "1", instance }, AbortSignal.timeout(20_000));
}

const kept = () => readdirSync(folder).map((name) => readFileSync(path.join(folder, name)));

test("stores the data set byte for byte; without C-FIND the outcome stays unknown", async () => {
  const { bytes, instance } = await anImage();
  const port = await startStorescp();
  expect(await send(port, instance)).toEqual({
    outcome: "unknown",
    detail: "Arkivet tog imod billedet, men kan ikke spørges, om det ligger der (C-FIND)",
  });
  const [file] = kept();
  const begins = (await parseDicomHeader(file!, true))!.dataSetOffset;
  expect(file!.subarray(begins).equals(bytes.subarray(instance.dataSetOffset))).toBe(true);
});

test.each<[string, string[], string, object]>([
  ["refuses everybody", ["--refuse"], "unlimited", { outcome: "retry", isChannelDown: true }],
  ["breaks off while an image comes", ["--abort-during"], "unlimited", { outcome: "retry" }],
  ["breaks off after it came", ["--abort-after"], "unlimited", { outcome: "retry" }],
  ["has no room left", [], "8", { outcome: "retry", detail: "Arkivet har ikke plads (A700)", reason: "archiveFull" }],
])("an archive that %s is tried again", async (_, options, limit, expected) => {
  const { instance } = await anImage();
  const result = await send(await startStorescp(options, limit), instance);
  expect(result).toMatchObject(expected);
  expect("detail" in result && result.detail).toMatch(/^Arkivet /);
});

test("a connection cut within an image is tried again, and stores it whole", async () => {
  const { bytes, instance } = await anImage();
  const proxy = await startCuttingProxy(await startStorescp());
  const port = Number(new URL(proxy.origin).port);
  try {
    proxy.cutAt(20_000);
    expect(await send(port, instance)).toMatchObject({ outcome: "retry", reference: instance.sopInstance });
    expect((await send(port, instance)).outcome).toBe("unknown");
    expect(kept().some((file) => file.includes(bytes.subarray(instance.dataSetOffset)))).toBe(true);
  } finally {
    await proxy.close();
  }
});
