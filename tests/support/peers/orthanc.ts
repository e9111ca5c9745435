import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";

export const ORTHANC_TITLE = "ORTHANC";

/** Debian's Orthanc as an archive. */
export interface Orthanc {
  port: number;
  env: { IMAGE_ARCHIVE: string };
  /** Tags of each stored image, by name. */
  instances(): Promise<Record<string, string>[]>;
  /** A stored image as a DICOM file. */
  file(sopInstance: string): Promise<Buffer>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function startOrthanc(): Promise<Orthanc> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "orthanc-"));
  const [port, httpPort] = [await freePort(), await freePort()];
  const settings = path.join(folder, "orthanc.json");
  writeFileSync(
    settings,
    JSON.stringify({
      Name: "Test",
      StorageDirectory: path.join(folder, "storage"),
      IndexDirectory: path.join(folder, "storage"),
      DicomAet: ORTHANC_TITLE,
      DicomCheckCalledAet: true,
      DicomPort: port,
      HttpPort: httpPort,
      RemoteAccessAllowed: false,
      AuthenticationEnabled: false,
      DicomAlwaysAllowFind: true,
      Plugins: [],
    }),
  );
  const child = spawn("/usr/sbin/Orthanc", [settings], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const rest = `http://127.0.0.1:${httpPort}`;
  const get = async (address: string) => fetch(`${rest}${address}`);
  for (let turn = 0; ; turn += 1) {
    const isUp = await get("/system").then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) break;
    if (turn > 100) throw new Error("Orthanc does not start");
    await after(100);
  }
  const ids = async () => (await (await get("/instances")).json()) as string[];
  const tags = async (id: string) =>
    (await (await get(`/instances/${id}/simplified-tags`)).json()) as Record<string, string>;
  return {
    port,
    env: { IMAGE_ARCHIVE: `dimse://${ORTHANC_TITLE}@127.0.0.1:${port}?calling=PORTAL` },
    instances: async () => Promise.all((await ids()).map(tags)),
    async file(sopInstance) {
      for (const id of await ids())
        if ((await tags(id)).SOPInstanceUID === sopInstance)
          return Buffer.from(await (await get(`/instances/${id}/file`)).arrayBuffer());
      throw new Error("Orthanc has no such image");
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
