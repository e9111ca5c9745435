import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { z } from "zod";
import { ediFields, ediOf } from "~/config/edi-settings.server";
import { chooseEdiGateway, chooseEdiInbox } from "~/gateways/choose.server";
import type { ClaimedFile, EdiGateway, EdiInbox } from "~/gateways/edi/port";
import { type SftpServer, startSftpServer } from "../peers/sftp-server";

export const now = new Date("2026-12-01T09:00:00Z");

/** @param name a regular expression's source */
export const aside = (name: string): string =>
  expect.stringMatching(new RegExp(`^${name}\\.\\d{8}T\\d{6}Z~[0-9a-f]{8}\\.aside$`));
/** A claimed, unfinished file. */
export const claimed = (name: string): string =>
  expect.stringMatching(new RegExp(`^${name}\\.\\d{10}~[0-9a-f]{8}\\.claimed$`));

/** EDI folders for the tests of one file, empty before each test: local, or on an OpenSSH server. */
export function ediFolders(kind: "folder" | "sftp") {
  let root: string;
  let server: SftpServer | null = null;
  let inbox: EdiInbox;
  let gateway: EdiGateway;
  beforeAll(async () => {
    root = mkdtempSync(path.join(os.tmpdir(), "portal-edi-"));
    let env: Record<string, string> = { EDI_DIR: root, EDI_GLN: "5790000000005" };
    if (kind === "sftp") {
      server = await startSftpServer();
      root = path.join(server.folder, "edi");
      mkdirSync(root);
      env = {
        EDI_SFTP_URL: `sftp://${server.user}@127.0.0.1:${server.port}${root}`,
        EDI_SFTP_KEY_FILE: server.keyFile,
        EDI_SFTP_HOST_KEY: server.hostKey,
        EDI_GLN: "5790000000005, 5790000000012",
      };
    }
    const given = { edi: ediOf(z.object(ediFields).parse(env)), dataDir: "/nowhere", production: true };
    inbox = chooseEdiInbox(given)!;
    gateway = chooseEdiGateway(given);
  });
  beforeEach(() => {
    for (const name of ["in", "out"]) {
      rmSync(path.join(root, name), { recursive: true, force: true });
      mkdirSync(path.join(root, name));
    }
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const put = (name: string, text: string, secondsAgo = 160) => {
    const file = path.join(root, "in", name);
    writeFileSync(file, text);
    const at = Date.now() / 1000 - secondsAgo;
    utimesSync(file, at, at);
  };
  const lying = (folder: string) => readdirSync(path.join(root, folder)).toSorted();
  const take = async (visit: (file: ClaimedFile) => Promise<"done" | "aside">, at = now) => {
    const seen: string[] = [];
    await inbox.takeEach(async (file) => {
      seen.push(`${file.name} ${file.sizeBytes} ${(await file.read()).toString("latin1")}`);
      return visit(file);
    }, at);
    return seen;
  };

  return {
    put,
    lying,
    take,
    inFolder: (folder: string, name = "") => path.join(root, folder, name),
    inbox: () => inbox,
    gateway: () => gateway,
    server: () => server,
  };
}
