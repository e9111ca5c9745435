import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type Database from "libsql";
import sharp from "sharp";
import { signIn, startServer } from "../../../scripts/test-server.mjs";
import { copyDemoData } from "../demo-data";
import { inDatabaseOf } from "./demo-portal";

export interface SmallPortal {
  origin: string;
  pid: number;
  dataDir: string;
  output(): string;
  /** Asks the database from beside the server. */
  inDatabase<T>(work: (database: InstanceType<typeof Database>) => T): T;
  stop(): Promise<void>;
}

/** A running portal on SQLite with the demo accounts, a few referrals, and an image in one of them. */
export async function startSmallPortal(): Promise<SmallPortal> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-small-"));
  copyDemoData(dataDir, 5);
  const server = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
  const inDatabase: SmallPortal["inDatabase"] = (work) => inDatabaseOf(dataDir, work);
  const { id } = inDatabase((database) =>
    database.prepare("select id from referral where sent_at is not null order by id limit 1").get(),
  ) as { id: number };
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#888" } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.append("RadiographFileTypes", "[1]");
  body.append("Radiographs", new Blob([new Uint8Array(picture)], { type: "image/png" }), "panorama.png");
  const answer = await fetch(`${server.origin}/api/Visits/${id}/upload/radiographs`, {
    method: "POST",
    body,
    headers: { cookie: await signIn(server.origin, "admin"), "sec-fetch-site": "same-origin" },
  });
  if (!answer.ok) throw new Error(`the image was answered with ${answer.status}: ${await answer.text()}`);
  return {
    ...server,
    dataDir,
    inDatabase,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
