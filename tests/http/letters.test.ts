// @module-tag matrix
// @module-tag openssh
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { startServer } from "../../scripts/test-server.mjs";
import { aLetterFile } from "../factories/letters";
import { aClinic, aPerson } from "../factories/people";
import { aReferral } from "../factories/referrals";
import { type NetsSharePeer, startNetsSharePeer } from "../support/peers/nets-share-peer";
import { createTestPortal, type TestPortal } from "../support/test-portal";

const PDF = "%PDF-1.7 Kære Nancy Ann";

let peer: NetsSharePeer;
let portal: TestPortal;
let dentist: Person;
let server: { origin: string; stop(): Promise<void> };

beforeAll(async () => {
  peer = await startNetsSharePeer();
  portal = await createTestPortal("sqlite", { env: peer.env });
  portal.clock.set(new Date().toISOString());
  dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  server = await startServer({
    env: {
      NODE_ENV: "development",
      DATA_DIR: portal.config.dataDir,
      APP_SECRET: portal.config.appSecret,
      ...peer.env,
    },
  });
});
afterAll(async () => {
  await server?.stop();
  await portal?.close();
  await peer?.stop();
});

test("the built portal sends a letter over SFTP, and shows it with its PDF", async () => {
  const referralId = await aReferral(portal, dentist, {
    cpr6: "251248",
    cpr4: "9996",
    firstName: "Nancy Ann",
    lastName: "Berggren",
  });
  const storedFileId = await aLetterFile(portal, PDF);
  const id = await portal.db.transaction().execute((tx) =>
    portal.outboxIn(tx).eboks({
      kind: "invoice",
      to: "251248-9996",
      title: "Faktura",
      text: "",
      storedFileId,
      referralId,
    }),
  );
  const outcome = async () => {
    const row = await portal.db
      .selectFrom("outbox")
      .select(["outcome", "detail"])
      .where("id", "=", id)
      .executeTakeFirst();
    return `${row?.outcome} ${row?.detail}`;
  };
  await expect.poll(outcome).toBe("awaiting null");
  peer.receiveShipments();
  expect(peer.shipments.map(({ pdf }) => pdf.toString())).toEqual([PDF]);
  const page = await (await fetch(`${server.origin}/dev/outbox`)).text();
  expect(page).toContain(`href="/dev/outbox/${id}.pdf"`);
  const file = await fetch(`${server.origin}/dev/outbox/${id}.pdf`);
  expect([file.status, file.headers.get("content-type"), await file.text()]).toEqual([200, "application/pdf", PDF]);
});
