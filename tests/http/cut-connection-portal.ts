import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { type DetailedError, Upload } from "tus-js-client";
import { afterAll, beforeAll } from "vitest";
import { pageForm, pageTicket } from "../support/form-ticket";
import { type CuttingProxy, startCuttingProxy } from "../support/peers/cutting-proxy";
import { demoPortal } from "../support/portals/demo-portal";

export const MEGABYTE = 1024 * 1024;
export const CHUNK = 8 * MEGABYTE;
const wizard = "/management/henvisning-tandlaeger";
const people = ["tandlaege", "tandlaege2", "sekretaer"] as const;
export type Who = (typeof people)[number];

interface Wanted {
  who?: Who;
  referralId: number;
  source: string | Buffer;
  name: string;
  uploadUrl?: string | null;
  type?: number;
}

export function cutConnectionPortal() {
  const portal = demoPortal({ people });
  const connection = {} as CuttingProxy;
  beforeAll(async () => void Object.assign(connection, await startCuttingProxy(portOf(portal.origin))));
  afterAll(() => connection.close());

  async function post(who: Who, fields: Record<string, string | number>) {
    const body = new URLSearchParams(
      Object.entries(pageForm(portal, who, fields)).map(([name, value]) => [name, String(value)]),
    );
    return fetch(portal.origin + wizard, {
      method: "POST",
      body,
      redirect: "manual",
      headers: { cookie: portal.cookies[who]!, origin: portal.origin },
    });
  }

  let count = 0;
  async function draft(who: Who = "tandlaege"): Promise<number> {
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

  /** A bitmap of any size whose parts differ, so that misplaced bytes change its digest. */
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
    const file = path.join(portal.dataDir, name);
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

  /**
   * One attempt: resolves when complete, throws the cause otherwise. `at` is the upload's address for the next attempt.
   */
  function send({ who = "tandlaege", referralId, source, name, uploadUrl, type = 0 }: Wanted) {
    const at: { url: string | null; headers: Record<string, string> } = { url: uploadUrl ?? null, headers: {} };
    const done = new Promise<void>((resolve, reject) => {
      const upload = new Upload(typeof source === "string" ? createReadStream(source) : source, {
        endpoint: `${connection.origin}/management/uploads`,
        uploadUrl: uploadUrl ?? null,
        chunkSize: CHUNK,
        retryDelays: null,
        storeFingerprintForResuming: false,
        headers: { cookie: portal.cookies[who]!, origin: connection.origin },
        metadata: {
          referralId: String(referralId),
          formKey: `${referralId}-${name}-${Math.random()}`,
          radiographType: String(type),
          fileName: name,
          lastModified: "1790000000000",
          ticket: pageTicket(portal, who),
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

  async function imagesOf(referralId: number, who: Who = "tandlaege"): Promise<number[]> {
    const page = await (
      await fetch(`${portal.origin}${wizard}?kladde=${referralId}&trin=3`, {
        headers: { cookie: portal.cookies[who]! },
      })
    ).text();
    return [...new Set([...page.matchAll(new RegExp(`${referralId}/files/(\\d+)`, "g"))].map(([, id]) => Number(id)))];
  }

  /** Number of files in the store: one per image and per part of an unfinished upload. */
  const stored = () =>
    existsSync(path.join(portal.dataDir, "files"))
      ? readdirSync(path.join(portal.dataDir, "files"), { recursive: true, withFileTypes: true }).filter((entry) =>
          entry.isFile(),
        ).length
      : 0;

  return { portal, connection, draft, bitmap, send, imagesOf, stored };
}

export const portOf = (origin: string) => Number(new URL(origin).port);
export const statusOf = (error: unknown) => (error as DetailedError).originalResponse?.getStatus() ?? null;
