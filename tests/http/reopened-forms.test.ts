import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SECRET, signIn, startServer } from "../../scripts/test-server.mjs";
import { runApart } from "../support/commands";
import { inDatabaseOf } from "../support/portals/demo-portal";
import { formOf } from "./api/api-portal";
import { copyDemoData } from "../support/demo-data";

let dataDir = "";
let server: Awaited<ReturnType<typeof startServer>>;
let cookie = "";
let referralId = 0;

async function start(env: Record<string, string> = {}): Promise<void> {
  server = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir, ...env } });
}

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-reopened-"));
  copyDemoData(dataDir, 1);
  await start();
  cookie = await signIn(server.origin, "admin");
  referralId = inDatabaseOf(
    dataDir,
    (database) =>
      (database.prepare("select id from referral where sent_at is not null limit 1").get() as { id: number }).id,
  );
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

let ticket = "";
beforeEach(async () => {
  ticket = await drawnTicket();
});

const pageAddress = () => `${server.origin}/management/overview/${referralId}`;

async function drawnTicket(): Promise<string> {
  const page = await (await fetch(pageAddress(), { headers: { cookie } })).text();
  const tickets = [...page.matchAll(/<input [^>]*>/g)].filter(([input]) => input.includes('name="ticket"'));
  return tickets.map(([input]) => /value="([^"]+)"/.exec(input)?.[1]).find((value) => value !== undefined)!;
}

function write(text: string, sealed = ticket): Promise<Response> {
  const attachment = new File([`${text};1\n`], "bilag.csv", { type: "text/csv" });
  return fetch(pageAddress(), {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: server.origin },
    body: formOf({ intent: "writeMessage", ticket: sealed, text, attachments: [attachment] }),
  });
}

const messages = (text: string) =>
  inDatabaseOf(dataDir, (database) =>
    database
      .prepare(
        "select m.id, count(a.id) as files from message m left join referral_file a on a.message_id = m.id where m.text = ? group by m.id",
      )
      .all(text),
  ) as { files: number }[];

test("a form that was drawn before the server restarted is accepted after it", async () => {
  await server.stop();
  await start();
  expect((await write("Efter genstart")).status).toBe(303);
  expect(messages("Efter genstart")).toMatchObject([{ files: 1 }]);
});

test("a form sent again after a lost answer is done once", async () => {
  const lost = await write("Svaret gik tabt");
  await server.stop();
  await start();
  const again = await write("Svaret gik tabt");
  expect([again.status, again.headers.get("location")]).toEqual([lost.status, lost.headers.get("location")]);
  expect(again.status).toBe(303);
  expect(messages("Svaret gik tabt")).toMatchObject([{ files: 1 }]);
});

test("two tabs with one page's form: what differs is done in each, what is alike once", async () => {
  for (const text of ["Fra den ene", "Fra den anden", "Fra den ene"]) expect((await write(text)).status).toBe(303);
  expect([messages("Fra den ene").length, messages("Fra den anden").length]).toEqual([1, 1]);
});

test("a form of the previous secret is accepted, refused once it is gone", async () => {
  const next = `${SECRET}-next`;
  await server.stop();
  await start({ APP_SECRET: next, APP_SECRET_PREVIOUS: SECRET });
  expect((await write("Under ny nøgle")).status).toBe(303);
  expect(messages("Under ny nøgle")).toMatchObject([{ files: 1 }]);
  const renewed = await drawnTicket();
  await server.stop();
  const rotated = await runApart({ DATA_DIR: dataDir, APP_SECRET: next, APP_SECRET_PREVIOUS: SECRET }, "rotate-keys");
  expect(rotated).toMatchObject({ code: 0 });
  await start({ APP_SECRET: next });
  const stale = await write("Uden den gamle");
  expect([stale.status, (await stale.text()).includes("Siden er forældet.")]).toEqual([400, true]);
  expect(messages("Uden den gamle")).toEqual([]);
  expect((await write("Med den nye", renewed)).status).toBe(303);
});
