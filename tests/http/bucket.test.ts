// @module-tag matrix
// @module-tag swift
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import sharp from "sharp";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { letterPdf } from "~/demo/demo-documents.server";
import { postPageForm, signIn, startServer, ticketIn } from "../../scripts/test-server.mjs";
import { anAttachment, aReferralLetter, dropEdi } from "../support/edi/drop";
import { makeBucket, type TestBucket } from "../support/peers/s3-bucket";
import { type RunningSwift, startSwift } from "../support/swift.mjs";
import { copyDemoData } from "../support/demo-data";

/* Receives, sends and creates files in a bucket: one portal with its worker, one store. */

let swift: RunningSwift;
let bucket: TestBucket;
let portal: Awaited<ReturnType<typeof startServer>>;
let dataDir: string;
let cookie: string;
let referralId: number;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-bucket-"));
  swift = await startSwift();
  bucket = await makeBucket(swift);
  copyDemoData(dataDir, 3);
  portal = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir, ...bucket.env() } });
  cookie = await signIn(portal.origin, "admin");
  const [first] = rows<{ id: number }>("select id from referral where sent_at is not null order by id limit 1");
  referralId = first!.id;
});

afterAll(async () => {
  await portal?.stop();
  await swift?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function rows<T>(sql: string, ...values: (string | number)[]): T[] {
  const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
  try {
    return database.prepare(sql).all(...values) as T[];
  } finally {
    database.close();
  }
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function get(address: string): Promise<Buffer> {
  const answer = await fetch(portal.origin + address, { headers: { cookie } });
  expect([address, answer.status]).toEqual([address, 200]);
  return Buffer.from(await answer.arrayBuffer());
}

const newestFileOf = (id: number) =>
  rows<{ id: number; file_name: string }>(
    `select referral_file.id, file_name from referral_file join stored_file on stored_file.id = stored_file_id
     where referral_id = ? order by referral_file.id desc limit 1`,
    id,
  )[0];

function bitmap(): Buffer {
  const [width, height] = [1024, 3000];
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(54 + width * height * 3, 2);
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    head.writeUInt32LE(value, at);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, randomBytes(width * height * 3)]);
}

const ticketAt = async (address: string) => ticketIn((await get(address)).toString());

test("an upload in parts is put together, and comes back byte for byte", async () => {
  const bytes = bitmap();
  const ticket = await ticketAt(`/management/overview/${referralId}`);
  await new Promise<void>((resolve, reject) => {
    new Upload(bytes, {
      endpoint: `${portal.origin}/management/uploads`,
      chunkSize: 8 * 1024 * 1024,
      retryDelays: null,
      storeFingerprintForResuming: false,
      headers: { cookie, origin: portal.origin },
      metadata: {
        referralId: String(referralId),
        formKey: "a-bitmap",
        radiographType: "0",
        fileName: "stor.bmp",
        lastModified: "1790000000000",
        ticket,
      },
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
  const file = newestFileOf(referralId)!;
  expect(file.file_name).toBe("stor.bmp");
  expect(sha256(await get(`/management/overview/${referralId}/files/${file.id}`))).toBe(sha256(bytes));
  expect(rows("select * from partial_upload_part")).toEqual([]);
});

test("the referral's PDF, with its image, and an export are made as ever", async () => {
  const pdf = await get(`/management/overview/${referralId}/pdf`);
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const csv = await fetch(`${portal.origin}/api/Visits/download/csv/byids`, {
    method: "POST",
    body: JSON.stringify({ ids: [referralId] }),
    headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
  });
  const bytes = Buffer.from(await csv.arrayBuffer());
  expect([csv.status, bytes.subarray(0, 2).toString("hex")]).toEqual([200, "fffe"]);
});

test("a bill leaves with the very PDF that was chosen", async () => {
  const pdf = await letterPdf(["Faktura", randomBytes(8).toString("hex")]);
  const form = new FormData();
  for (const [name, value] of Object.entries({
    intent: "sendBill",
    formId: "sendBill",
    ticket: await ticketAt(`/management/overview/${referralId}`),
    formKey: "a-bill",
    billKind: "invoice",
  }))
    form.append(name, value);
  form.append("bill", new Blob([new Uint8Array(pdf)], { type: "application/pdf" }), "faktura.pdf");
  const answer = await fetch(`${portal.origin}/management/overview/${referralId}`, {
    method: "POST",
    body: form,
    redirect: "manual",
    headers: { cookie, origin: portal.origin },
  });
  expect(answer.status).toBe(303);
  const outcome = () => rows<{ outcome: string }>("select outcome from outbox where kind = 'invoice'")[0]?.outcome;
  await expect.poll(outcome).toBe("sent");
  const kept = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".pdf"))
    .map((entry) => sha256(readFileSync(path.join(entry.parentPath, entry.name))));
  expect(kept).toContain(sha256(pdf));
});

test("a referral that comes by EDI has the picture that came beside it", async () => {
  const cpr = "0303701234";
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#357" } })
    .png()
    .toBuffer();
  const objectId = "5051D851-5CAC-4F69-80E1-F4BC6B86BF63";
  dropEdi(dataDir, "a-bilag.xml", anAttachment(objectId, picture, { cpr }));
  dropEdi(dataDir, "b-brev.xml", aReferralLetter({ cpr, objectId }));
  const begin = async () => {
    const { status } = await postPageForm(
      `${portal.origin}/management/logs?type=edi`,
      { intent: "runEdiImport" },
      cookie,
    );
    return status as number;
  };
  await expect.poll(begin).toBe(303);
  const visitId = () =>
    rows<{ id: number | null }>("select referral_id as id from edi_message where kind = 'referral'")[0]?.id ?? null;
  await expect.poll(visitId).not.toBeNull();
  await expect.poll(() => newestFileOf(visitId()!)).toBeDefined();
  const { id } = newestFileOf(visitId()!)!;
  expect((await get(`/management/overview/${visitId()}/files/${id}`)).equals(picture)).toBe(true);
});

test("all of it lies in the bucket, and nothing of it on this machine", async () => {
  const keys = rows<{ storage_key: string }>("select storage_key from stored_file").map((row) => row.storage_key);
  for (const key of keys) expect(await bucket.everything()).toContain(`files/${key}`);
  expect(readdirSync(dataDir)).not.toContain("files");
});
