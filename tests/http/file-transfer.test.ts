// @module-tag node
import { readdirSync } from "node:fs";
import { Agent, request } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "../../scripts/test-server.mjs";
import { pageTicket } from "../support/form-ticket";
import { type SmallPortal, startSmallPortal } from "../support/portals/small-portal";

let portal: SmallPortal;
let dataDir: string;
let staff: string;
let dentist: string;
const inDatabase: SmallPortal["inDatabase"] = (work) => portal.inDatabase(work);

beforeAll(async () => {
  portal = await startSmallPortal();
  ({ dataDir } = portal);
  [staff, dentist] = [await signIn(portal.origin, "admin"), await signIn(portal.origin, "tandlaege")];
});

afterAll(() => portal?.stop());

const ask = (address: string, init: RequestInit & { cookie?: string } = {}) =>
  fetch(portal.origin + address, {
    redirect: "manual",
    ...init,
    headers: { ...(init.cookie ? { cookie: init.cookie } : {}), ...init.headers },
  });

interface Stored {
  referral_id: number;
  id: number;
  size_bytes: number;
  sha256: string;
}
const anImage = () =>
  inDatabase((database) =>
    database
      .prepare(
        "select f.referral_id, f.id, s.size_bytes, s.sha256 from referral_file f join stored_file s on s.id = f.stored_file_id join referral r on r.id = f.referral_id where r.sent_at is not null and f.deleted_at is null and s.mime like 'image/%' order by f.id limit 1",
      )
      .get(),
  ) as Stored;

test("an interrupted download resumes where it was", async () => {
  const { referral_id, id, size_bytes: size, sha256 } = anImage();
  for (const address of [
    `/management/overview/${referral_id}/files/${id}`,
    `/api/Visits/${referral_id}/download/radiograph/${id}`,
  ]) {
    const whole = await ask(address, { cookie: staff });
    if (whole.status === 404) continue;
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect([whole.status, bytes.length, whole.headers.get("accept-ranges"), whole.headers.get("etag")]).toEqual([
      200,
      size,
      "bytes",
      `"${sha256}"`,
    ]);
    const part = async (headers: Record<string, string>) => {
      const answer = await ask(address, { cookie: staff, headers });
      return [answer.status, answer.headers.get("content-range"), Buffer.from(await answer.arrayBuffer())] as const;
    };
    expect(await part({ range: `bytes=10-19` })).toEqual([206, `bytes 10-19/${size}`, bytes.subarray(10, 20)]);
    expect(await part({ range: `bytes=${size - 5}-` })).toEqual([
      206,
      `bytes ${size - 5}-${size - 1}/${size}`,
      bytes.subarray(-5),
    ]);
    expect(await part({ range: `bytes=-7`, "if-range": `"${sha256}"` })).toEqual([
      206,
      `bytes ${size - 7}-${size - 1}/${size}`,
      bytes.subarray(-7),
    ]);
    expect(await part({ range: `bytes=0-${size * 2}` })).toEqual([206, `bytes 0-${size - 1}/${size}`, bytes]);
    expect(await part({ range: `bytes=${size}-` })).toEqual([416, `bytes */${size}`, Buffer.alloc(0)]);
    expect(await part({ range: "bytes=-0" })).toEqual([416, `bytes */${size}`, Buffer.alloc(0)]);
    const ignored: Record<string, string>[] = [
      { range: "bytes=0-1", "if-range": '"another"' },
      { range: "bytes=0-1,4-5" },
      { range: "bytes=5-2" },
      { range: "lines=1-2" },
      { range: "bytes=" },
    ];
    for (const headers of ignored) expect(await part(headers), JSON.stringify(headers)).toEqual([200, null, bytes]);
    expect(
      (await ask(address, { method: "HEAD", cookie: staff, headers: { range: "bytes=0-1" } })).headers.get(
        "content-length",
      ),
    ).toBe(String(size));
    expect((await ask(address, { headers: { range: "bytes=0-1" } })).status).toBeGreaterThanOrEqual(300);
  }
});

test("no browser keeps a preview, and signing out clears its cache", async () => {
  const { referral_id, id } = anImage();
  const address = `/management/overview/${referral_id}/files/${id}/preview?size=thumb`;
  const first = await ask(address, { cookie: staff });
  expect([first.status, first.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  const session = await signIn(portal.origin, "sekretaer");
  const out = await ask("/management", {
    method: "POST",
    cookie: session,
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ intent: "signOut" }),
  });
  expect([out.status, out.headers.get("clear-site-data")]).toEqual([303, '"cache", "storage"']);
});

const incoming = () => readdirSync(path.join(dataDir, "incoming"));

test("nobody can fill the disk with unclaimed files", async () => {
  const ticket = pageTicket(portal, "tandlaege");
  const { user_id: owner } = inDatabase((database) =>
    database.prepare("select id as user_id from user where user_name = 'tandlaege'").get(),
  ) as { user_id: number };
  inDatabase((database) => {
    database.exec(
      `insert into stored_file (storage_key, file_name, mime, size_bytes, sha256, scan_state, created_at) values ('waiting', 'x.jpg', 'image/jpeg', ${10 * 1024 ** 3 - 50_000}, '0', 'clean', '2026-11-21T09:00:00.000Z')`,
    );
    database.exec(
      `insert into staged_upload (owner_id, form_key, field, kind, stored_file_id, created_at) select ${owner}, 'another-form', 'journal', 'journal', id, '2099-01-01T00:00:00.000Z' from stored_file where storage_key = 'waiting'`,
    );
  });
  try {
    const send = (size: number, declaresLength: boolean) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const head =
          `--x\r\nContent-Disposition: form-data; name="ticket"\r\n\r\n${ticket}\r\n` +
          '--x\r\nContent-Disposition: form-data; name="intent"\r\n\r\nsavePatient\r\n--x\r\nContent-Disposition: form-data; name="journals"; filename="a.txt"\r\n\r\n';
        const body = Buffer.concat([Buffer.from(head), Buffer.alloc(size, "a"), Buffer.from("\r\n--x--\r\n")]);
        const sent = request(
          `${portal.origin}/management/henvisning-tandlaeger?form=fills-the-disk`,
          {
            method: "POST",
            headers: {
              cookie: dentist,
              "sec-fetch-site": "same-origin",
              "content-type": "multipart/form-data; boundary=x",
              ...(declaresLength ? { "content-length": body.length } : {}),
            },
          },
          (answer) => {
            let text = "";
            answer
              .on("data", (chunk) => (text += chunk))
              .on("end", () => resolve({ status: answer.statusCode!, text }));
          },
        );
        sent.on("error", reject);
        sent.end(body);
      });
    for (const declaresLength of [true, false])
      expect(await send(200_000, declaresLength)).toMatchObject({
        status: 400,
        text: expect.stringContaining("Der venter for mange filer"),
      });
    await expect.poll(incoming).toEqual([]);
    expect((await send(1000, true)).status).toBe(400);
  } finally {
    inDatabase((database) =>
      database.exec(
        "delete from staged_upload where form_key = 'another-form'; delete from stored_file where storage_key = 'waiting'",
      ),
    );
  }
});

test("one connection may carry many uploads, without leaking listeners", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = Buffer.from('--x\r\nContent-Disposition: form-data; name="intent"\r\n\r\nnothing\r\n--x--\r\n');
  for (let upload = 0; upload < 15; upload += 1) {
    await new Promise<void>((resolve, reject) => {
      const sent = request(
        `${portal.origin}/management/henvisning-tandlaeger?form=many-on-one-line`,
        {
          method: "POST",
          agent,
          headers: {
            cookie: dentist,
            "sec-fetch-site": "same-origin",
            "content-type": "multipart/form-data; boundary=x",
            "content-length": body.length,
          },
        },
        (answer) => {
          answer.resume().on("end", resolve);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }
  agent.destroy();
  expect(portal.output()).not.toContain("MaxListenersExceededWarning");
});
