import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findDcmtk } from "../dcmtk.mjs";

export const DCMQRSCP_TITLE = "ARKIV";

/** DCMTK's dcmqrscp: an archive that keeps one image per UID and overwrites it. */
export interface Dcmqrscp {
  port: number;
  stop(): Promise<void>;
}

export async function startDcmqrscp(): Promise<Dcmqrscp> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "dcmqrscp-"));
  const storage = path.join(folder, "storage");
  mkdirSync(storage);
  const port = await freePort();
  const settings = path.join(folder, "dcmqrscp.cfg");
  writeFileSync(
    settings,
    `NetworkTCPPort = ${port}
MaxPDUSize = 16384
MaxAssociations = 16
HostTable BEGIN
HostTable END
VendorTable BEGIN
VendorTable END
AETable BEGIN
${DCMQRSCP_TITLE} ${storage} RW (200, 1024mb) ANY
AETable END
`,
  );
  const child = spawn(path.join(findDcmtk()!, "dcmqrscp"), ["-c", settings], { stdio: "ignore" });
  await listening(port);
  return {
    port,
    async stop() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await end;
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.end());
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    if (isUp) return;
    await pause(25);
  }
  throw new Error("dcmqrscp does not listen");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
