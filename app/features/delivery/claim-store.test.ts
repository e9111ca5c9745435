import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { addMinutes } from "date-fns";
import { expect, test } from "vitest";
import { createEmbeddedMailbox } from "~/gateways/choose.server";
import { inTransaction } from "~db/connection.server";
import { LEASE_SECONDS } from "~/features/job-register/operations.server";
import type { Portal } from "~/portal.server";
import { mailOutbox } from "../../../tests/support/delivery/mail-outbox";
import type { SmtpPeer } from "../../../tests/support/peers/smtp-peer";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { claimMessage, markSending, renewLease, settleOutboxMessage } from "./claim-store.server";

const LANE = { channel: "email", polls: false, leaseSeconds: 60 } as const;

forEachDatabase("the outbox", (dialect) => {
  let peer: SmtpPeer;
  let portal: TestPortal;
  const { queue, workOnce, rowOf, attemptsOf } = mailOutbox(dialect, (opened, smtp) => {
    portal = opened;
    peer = smtp;
  });

  test("workers at the same time deliver each message once", async () => {
    const recipients = Array.from({ length: 8 }, (_, index) => `modtager${index}@eksempel.dk`);
    for (const to of recipients) await queue({ to });
    // SQLite in one process has one connection; two processes are in crash.test.ts.
    const other = dialect === "mariadb" ? await portal.reopened() : null;
    const drain = async (owner: string, on: Portal) => {
      for (let turn = 0; turn < 20; turn += 1) await workOnce(owner, on);
    };
    await Promise.all([drain("a", portal), drain("b", other ?? portal), drain("c", other ?? portal)]);
    await other?.close();
    expect(peer.deliveries.map(({ to }) => to).sort()).toEqual(recipients);
    expect(await portal.db.selectFrom("outbox").select("outcome").distinct().execute()).toEqual([{ outcome: "sent" }]);
    expect(await portal.db.selectFrom("outboxAttempt").select("outboxId").execute()).toHaveLength(8);
  });

  test("no other worker claims a leased message until its lease has expired", async () => {
    const id = await queue();
    const { db, secrets, clock } = portal;
    expect(await claimMessage(db, secrets, LANE, "a", clock.now())).toMatchObject({ id, isInterrupted: false });
    expect(await claimMessage(db, secrets, LANE, "b", clock.now())).toBeNull();
    clock.advance({ minutes: 1 });
    expect(await claimMessage(db, secrets, LANE, "b", clock.now())).toBeNull();
    clock.advance({ minutes: 0.001 });
    expect(await claimMessage(db, secrets, LANE, "b", clock.now())).toMatchObject({ id, isInterrupted: false });
    expect(await markSending(db, { id, owner: "a", sender: null }, clock.now())).toBe(false);
    expect(await markSending(db, { id, owner: "b", sender: null }, clock.now())).toBe(true);
  });

  test("a worker whose clock is ahead takes no leased message, but those of a killed one", async () => {
    const id = await queue();
    const { db, secrets, clock } = portal;
    const lane = { ...LANE, leaseSeconds: LEASE_SECONDS };
    const ahead = () => addMinutes(clock.now(), 1);
    expect(await claimMessage(db, secrets, lane, "a", clock.now())).toMatchObject({ id });
    for (let renewed = 0; renewed < 3; renewed += 1) {
      clock.advance({ minutes: LEASE_SECONDS / 60 / 3 });
      expect(await claimMessage(db, secrets, lane, "b", ahead())).toBeNull();
      await renewLease(db, id, "a", LEASE_SECONDS, clock.now());
    }
    clock.advance({ minutes: 1.1 });
    expect(await claimMessage(db, secrets, lane, "b", ahead())).toMatchObject({ id });
    expect(await renewLease(db, id, "a", LEASE_SECONDS, clock.now())).toBe(false);
  });

  test("a slot that slept past its lease neither begins nor settles another's message", async () => {
    const id = await queue();
    const { db, secrets, clock } = portal;
    const [slept, awake] = ["process/0", "process/1"];
    await claimMessage(db, secrets, LANE, slept, clock.now());
    clock.advance({ minutes: 1.1 });
    expect(await claimMessage(db, secrets, LANE, awake, clock.now())).toMatchObject({ id });
    const begins = (owner: string) => markSending(db, { id, owner, sender: null }, clock.now());
    expect([await begins(slept), await begins(awake)]).toEqual([false, true]);
    expect(await renewLease(db, id, slept, 60, clock.now())).toBe(false);
    const sent = { outcome: "sent", code: 3, detail: null, reason: null, nextAt: null, reference: null } as const;
    const settles = (owner: string) => inTransaction(db, (tx) => settleOutboxMessage(tx, id, owner, sent, clock.now()));
    expect([await settles(slept), await settles(awake)]).toEqual([false, true]);
  });

  /** A database that runs a callback between a worker's look-up of due messages and its claim. */
  function afterFirstCheck(happens: () => Promise<void>): Portal["db"] {
    let looked = false;
    return portal.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!looked) {
          looked = true;
          await happens();
        }
        return result;
      },
    });
  }

  test.runIf(dialect === "mariadb")(
    "a message put off while another worker looked at it waits its minutes",
    async () => {
      const id = await queue();
      peer.refuseRecipient = { code: 451, text: "Try again later" };
      const slow = afterFirstCheck(async () => {
        await workOnce("a");
      });
      expect(await claimMessage(slow, portal.secrets, LANE, "b", portal.clock.now())).toBeNull();
      expect(await rowOf(id)).toMatchObject({ attempts: 1, leaseOwner: null });
    },
  );

  test.runIf(dialect === "mariadb")(
    "a sending that began while another worker looked at it counts as interrupted",
    async () => {
      const id = await queue();
      const { db, secrets, clock } = portal;
      await claimMessage(db, secrets, LANE, "a", clock.now());
      clock.advance({ minutes: 3 });
      const slow = afterFirstCheck(async () => {
        expect(await markSending(db, { id, owner: "a", sender: null }, clock.now())).toBe(true);
      });
      expect(await claimMessage(slow, secrets, LANE, "b", clock.now())).toMatchObject({
        id,
        isInterrupted: true,
        attempts: 1,
      });
    },
  );

  async function interrupted(): Promise<number> {
    const id = await queue();
    await claimMessage(portal.db, portal.secrets, LANE, "killed", portal.clock.now());
    await markSending(portal.db, { id, owner: "killed", sender: null }, portal.clock.now());
    expect(await workOnce()).toBe(false);
    portal.clock.advance({ minutes: 1.1 });
    return id;
  }

  test("an interrupted sending over SMTP leaves the outcome unknown", async () => {
    const id = await interrupted();
    expect(await workOnce()).toBe(true);
    expect(await rowOf(id)).toMatchObject({ outcome: "unknown" });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: "unknown", detail: "interrupted" }]);
    expect(peer.requests).toBe(0);
  });

  test("a gateway that deduplicates sends an interrupted message, one file a key", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "mailbox-"));
    const mailbox = createEmbeddedMailbox(folder);
    const id = await interrupted();
    const message = {
      key: `outbox-${id}`,
      from: { name: "P", address: "p@eksempel.dk" },
      to: "x@eksempel.dk",
      subject: "før",
      text: "",
      html: "",
    };
    await mailbox.send(message, AbortSignal.timeout(1000), async () => undefined);
    await workOnce("b", { ...portal, email: mailbox });
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", attempts: 2 });
    expect(readdirSync(folder)).toEqual([`outbox-${id}.json`]);
    expect(await mailbox.listStored!(10)).toMatchObject([{ to: "patient@eksempel.dk", subject: "Emne" }]);
    rmSync(folder, { recursive: true, force: true });
  });
});
