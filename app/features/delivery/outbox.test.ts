import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { addMinutes } from "date-fns";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { inTransaction } from "~db/connection.server";
import type { Caller } from "~/access/caller";
import { change, execute, plainInput } from "~/access/operation.server";
import { createEmbeddedMailbox } from "~/gateways/email/embedded-mailbox.server";
import type { EmailGateway } from "~/gateways/email/port";
import { createSmtpGateway } from "~/gateways/email/smtp.server";
import { startWorker } from "~/jobs/worker.server";
import { LEASE_SECONDS } from "~/features/job-register/with-lease.server";
import type { Portal } from "~/portal.server";
import { aPerson } from "../../../tests/factories/people";
import { readMail, type SmtpPeer, startSmtpPeer } from "../../../tests/support/delivery/smtp-peer";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { claimMessage, markSending, renewLease } from "./claim-store.server";
import { sendMessage } from "./send-message.server";

const LANE = { channel: "email", polls: false, leaseSeconds: 60 } as const;
const worker: Caller = { actor: { kind: "system", job: "worker" }, site: "inside", address: "", sessionId: null };

/** A change that queues a mail, and then goes through or not. */
const queueMail = change({
  name: "test.queueMail",
  permission: "system",
  input: z.object({ to: z.string(), subject: z.string(), text: z.string(), breaks: z.boolean() }),
  async run({ outbox }, { breaks, ...mail }) {
    const id = await outbox.email({ kind: "testMessage", html: `<p>${mail.text}</p>`, ...mail });
    if (breaks) throw new Error("the change broke after queueing");
    return { data: { id } };
  },
});

forEachDatabase("the outbox", (dialect) => {
  let peer: SmtpPeer;
  let portal: TestPortal;

  beforeAll(async () => {
    peer = await startSmtpPeer();
    portal = await createTestPortal(dialect, { env: { SMTP_URL: peer.url, PRODUCT_NAME: "Henvisning Ærø & Åbenrå" } });
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
  });
  beforeEach(async () => {
    peer.reset();
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    await portal.db.deleteFrom("outbox_attempt").execute();
  });

  async function queue({
    to = "patient@eksempel.dk",
    subject = "Emne",
    text = "Tekst",
    breaks = false,
  } = {}): Promise<number> {
    const { data: found } = await execute(portal, worker, queueMail, plainInput({ to, subject, text, breaks }));
    return Number(found?.id);
  }
  const workOnce = async (owner = "a", on: Portal = portal) =>
    (await execute(on, worker, sendMessage, plainInput({ owner, channel: "email" }))).data?.sent;
  const rowOf = (id: number) =>
    portal.db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const attemptsOf = (id: number) =>
    portal.db
      .selectFrom("outbox_attempt")
      .select(["at", "outcome", "detail"])
      .where("outbox_id", "=", id)
      .orderBy("id")
      .execute();
  const through = (email: EmailGateway): Portal => ({ ...portal, email });

  test("a mail is queued with the change and gone with its rollback", async () => {
    await expect(queue({ breaks: true })).rejects.toThrow("the change broke after queueing");
    expect(await portal.db.selectFrom("outbox").select("id").execute()).toEqual([]);
    const id = await queue();
    expect(await rowOf(id)).toMatchObject({
      outcome: "queued",
      code: 0,
      attempts: 0,
      channel: "email",
      kind: "testMessage",
      not_before: "2026-12-01 09:00:00.000",
    });
  });

  test("recipient and content are not readable in the table", async () => {
    const id = await queue({ to: "hemmelig@eksempel.dk", subject: "Røntgen af kæben", text: "Privat tekst" });
    expect(JSON.stringify(await rowOf(id))).not.toMatch(/hemmelig|Røntgen|Privat/);
  });

  test("stores the sender's address with each mail, whatever the setting becomes later", async () => {
    const id = await queue();
    expect(await rowOf(id)).toMatchObject({ sender: null });
    await workOnce("a", { ...portal, config: { ...portal.config, mailFrom: "dengang@eksempel.dk" } });
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", sender: "dengang@eksempel.dk" });
  });

  test("Danish letters arrive in subject, body and the sender's name", async () => {
    const id = await queue({
      to: "soeren@eksempel.dk",
      subject: "Ny tid: blåbærgrød på Ærø, Åse Kjær-Sørensen og en meget lang emnelinje æøå ÆØÅ",
      text: "Kære Søren Ågård. Æblegrød & rødgrød = fløde; 5 < 6.",
    });
    expect(await workOnce()).toBe(true);
    expect(peer.deliveries.map(({ to }) => to)).toEqual(["soeren@eksempel.dk"]);
    const mail = readMail(peer.deliveries[0]!.raw);
    expect(mail.subject).toBe("Ny tid: blåbærgrød på Ærø, Åse Kjær-Sørensen og en meget lang emnelinje æøå ÆØÅ");
    expect(mail.text).toContain("Kære Søren Ågård. Æblegrød & rødgrød = fløde; 5 < 6.");
    expect(mail.html).toContain("Kære Søren Ågård.");
    expect(mail.from).toContain("Henvisning Ærø & Åbenrå");
    expect(mail.messageId).toBe(`<outbox-${id}@eksempel.dk>`);
    expect(await rowOf(id)).toMatchObject({
      outcome: "sent",
      code: 3,
      attempts: 1,
      sent_at: "2026-12-01 09:00:00.000",
      settled_at: "2026-12-01 09:00:00.000",
      lease_owner: null,
      lease_until: null,
      sending_since: null,
    });
    expect(await attemptsOf(id)).toEqual([
      { at: "2026-12-01 09:00:00.000", outcome: "sent", detail: expect.stringMatching(/^250/) as string },
    ]);
    expect(await workOnce()).toBe(false);
    expect(peer.deliveries).toHaveLength(1);
  });

  test("a line break or a list in an address adds no recipient", async () => {
    await queue({ to: "a@eksempel.dk, b@eksempel.dk\r\nBcc: c@eksempel.dk" });
    await workOnce();
    expect(peer.deliveries.flatMap(({ to }) => to.split(", ")).length).toBeLessThanOrEqual(1);
  });

  test("a refused recipient has failed and is never tried again", async () => {
    const id = await queue();
    peer.refuseRecipient = { code: 550, text: "No such user" };
    await workOnce();
    expect(await rowOf(id)).toMatchObject({
      outcome: "failed",
      code: 9,
      detail: "EENVELOPE 550",
      reason: "noMailbox",
      attempts: 1,
      sent_at: null,
      settled_at: "2026-12-01 09:00:00.000",
    });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: "refused", detail: "EENVELOPE 550" }]);
    peer.refuseRecipient = null;
    portal.clock.advance({ days: 30 });
    expect(await workOnce()).toBe(false);
    expect(peer.requests).toBe(1);
  });

  test("a temporary refusal is retried for four hours at growing intervals, and has then failed", async () => {
    const id = await queue();
    peer.refuseRecipient = { code: 451, text: "Try again later" };
    expect(await workOnce()).toBe(true);
    for (const [index, minutes] of [1, 4, 10, 15, 30, 60, 60, 60].entries()) {
      expect(await rowOf(id)).toMatchObject({
        outcome: "queued",
        attempts: index + 1,
        detail: "EENVELOPE 451",
        lease_owner: null,
        sending_since: null,
        settled_at: null,
      });
      portal.clock.advance({ minutes: minutes - 1 / 60_000 });
      expect(await workOnce()).toBe(false);
      portal.clock.advance({ minutes: 1 / 60_000 });
      expect(await workOnce()).toBe(true);
    }
    expect(peer.requests).toBe(9);
    expect(await rowOf(id)).toMatchObject({ outcome: "failed", attempts: 9, detail: "EENVELOPE 451" });
    expect((await attemptsOf(id)).map(({ outcome }) => outcome)).toEqual(Array(9).fill("retry"));
    portal.clock.advance({ days: 30 });
    expect(await workOnce()).toBe(false);
  });

  test("a message is sent once the temporary refusal is over", async () => {
    const id = await queue();
    peer.refuseRecipient = { code: 451, text: "Try again later" };
    await workOnce();
    peer.refuseRecipient = null;
    portal.clock.advance({ minutes: 1 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", attempts: 2, detail: null });
    expect(peer.deliveries).toHaveLength(1);
  });

  test("a server that cannot be reached is retried later", async () => {
    const id = await queue();
    expect(await workOnce("a", through(createSmtpGateway(`smtp://127.0.0.1:${await closedPort()}`)))).toBe(true);
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 1, not_before: "2026-12-01 09:01:00.000" });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: "retry" }]);
    portal.clock.advance({ minutes: 1 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", attempts: 2 });
  });

  test("a connection that closes before the message was handed over is retried", async () => {
    const rude = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => {
      rude.listen(0, "127.0.0.1", resolve);
    });
    const id = await queue();
    await workOnce("a", through(createSmtpGateway(`smtp://127.0.0.1:${(rude.address() as AddressInfo).port}`)));
    rude.close();
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 1 });
  });

  test("a connection that closes after the message was handed over leaves the outcome unknown", async () => {
    const id = await queue();
    peer.afterData = "close";
    await workOnce();
    expect(peer.deliveries).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ outcome: "unknown", code: 9, attempts: 1 });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: "unknown" }]);
    peer.afterData = "accept";
    portal.clock.advance({ days: 30 });
    expect(await workOnce()).toBe(false);
    expect(peer.deliveries).toHaveLength(1);
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
    expect(await portal.db.selectFrom("outbox_attempt").select("outbox_id").execute()).toHaveLength(8);
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

  test("a worker whose clock is a minute ahead takes no message from one that renews its lease, and takes over when that one was killed", async () => {
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

  /** A database that lets something happen between a worker's look at what is due and its claim. */
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

  // SQLite's one connection is taken while its answer is awaited.
  test.runIf(dialect === "mariadb")(
    "a message put off while another worker looked at it waits its minutes",
    async () => {
      const id = await queue();
      peer.refuseRecipient = { code: 451, text: "Try again later" };
      const slow = afterFirstCheck(async () => {
        await workOnce("a");
      });
      expect(await claimMessage(slow, portal.secrets, LANE, "b", portal.clock.now())).toBeNull();
      expect(await rowOf(id)).toMatchObject({ attempts: 1, lease_owner: null });
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

  test("a gateway that deduplicates sends an interrupted message, and keeps one file a key", async () => {
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
    await mailbox.send(message, AbortSignal.timeout(1000));
    await workOnce("b", through(mailbox));
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", attempts: 2 });
    expect(readdirSync(folder)).toEqual([`outbox-${id}.json`]);
    expect(await mailbox.listStored!(10)).toMatchObject([{ to: "patient@eksempel.dk", subject: "Emne" }]);
    rmSync(folder, { recursive: true, force: true });
  });

  test("a message into whose row another's recipient or text was copied is not sent", async () => {
    const other = await portal.db
      .selectFrom("outbox")
      .select(["recipient_encrypted", "content_encrypted"])
      .where("id", "=", await queue())
      .executeTakeFirstOrThrow();
    await workOnce();
    for (const column of ["recipient_encrypted", "content_encrypted"] as const) {
      const id = await queue();
      await portal.db
        .updateTable("outbox")
        .set({ [column]: other[column] })
        .where("id", "=", id)
        .execute();
      await workOnce();
      expect(await rowOf(id)).toMatchObject({ outcome: "failed", attempts: 0 });
    }
  });

  test("a message that the present key cannot read has failed, and the next one is sent", async () => {
    const unreadable = await queue();
    await portal.db
      .updateTable("outbox")
      .set({ content_encrypted: "deadbeef.AAAA" })
      .where("id", "=", unreadable)
      .execute();
    const id = await queue();
    for (let turn = 0; turn < 2; turn += 1) await workOnce();
    expect(await rowOf(unreadable)).toMatchObject({
      outcome: "failed",
      detail: "Kan ikke læses med den nuværende nøgle",
    });
    expect(await rowOf(id)).toMatchObject({ outcome: "sent" });
  });

  test("a message waits for the moment it was given", async () => {
    await portal.db.transaction().execute((tx) =>
      portal.outboxIn(tx).email({
        kind: "testMessage",
        to: "a@eksempel.dk",
        subject: "s",
        text: "t",
        html: "h",
        notBefore: new Date("2026-12-01T10:00:00.000Z"),
      }),
    );
    expect(await workOnce()).toBe(false);
    portal.clock.advance({ hours: 1 });
    expect(await workOnce()).toBe(true);
  });

  test("does not send an expired message, or one whose recipient is gone", async () => {
    const gone = await aPerson(portal, { role: "Dentist" });
    const [late, toNobody] = await inTransaction(portal.db, async (tx) => {
      const outbox = portal.outboxIn(tx);
      const mail = { to: "a@eksempel.dk", subject: "s", text: "t", html: "h" };
      return [
        await outbox.email({ ...mail, kind: "passwordReset", expiresAt: new Date("2026-12-01T09:30:00.000Z") }),
        await outbox.email({
          ...mail,
          kind: "statusNews",
          userId: gone.id,
          notBefore: new Date("2026-12-01T09:01:00.000Z"),
        }),
      ];
    });
    await portal.db.updateTable("user").set({ status: 0 }).where("id", "=", gone.id).execute();
    portal.clock.advance({ minutes: 30 });
    while (await workOnce());
    expect(await rowOf(late)).toMatchObject({
      outcome: "failed",
      detail: "Blev ikke sendt i tide",
      reason: "tooLate",
      attempts: 0,
    });
    expect(await rowOf(toNobody)).toMatchObject({
      outcome: "withdrawn",
      detail: "Modtageren er ikke længere aktiv",
      attempts: 0,
      settled_at: "2026-12-01 09:30:00.000",
    });
    expect(peer.requests).toBe(0);
  });

  test("a message is withdrawn only while no worker has begun to send it", async () => {
    const mail = {
      kind: "statusNews",
      to: "a@eksempel.dk",
      subject: "s",
      text: "t",
      html: "h",
      referralId: 77,
    } as const;
    const withdraw = () => inTransaction(portal.db, (tx) => portal.outboxIn(tx).withdraw("statusNews", [77, 78]));
    const [waiting, begun] = await inTransaction(portal.db, async (tx) => [
      await portal.outboxIn(tx).email(mail),
      await portal.outboxIn(tx).email(mail),
    ]);
    await portal.db
      .updateTable("outbox")
      .set({ attempts: 1, sending_since: "2026-12-01 09:00:00.000" })
      .where("id", "=", begun)
      .execute();
    expect(await withdraw()).toEqual([77]);
    expect(await rowOf(waiting)).toMatchObject({ outcome: "withdrawn", settled_at: "2026-12-01 09:00:00.000" });
    expect((await rowOf(begun)).outcome).toBe("queued");
    expect(await withdraw()).toEqual([]);
  });

  test("a message is resent at most once, also for two simultaneous requests", async () => {
    const id = await queue();
    const again = () =>
      inTransaction(portal.db, (tx) =>
        portal
          .outboxIn(tx)
          .email({ kind: "testMessage", to: "a@eksempel.dk", subject: "s", text: "t", html: "h", resendsId: id }),
      );
    const second = await again();
    await expect(again()).rejects.toThrow(/unique|duplicate/i);
    expect((await rowOf(second)).resends_id).toBe(id);
    expect(await portal.db.selectFrom("outbox").select("id").where("resends_id", "=", id).execute()).toEqual([
      { id: second },
    ]);
  });

  test("a kind uses only its own channels", async () => {
    await expect(
      inTransaction(portal.db, (tx) =>
        portal.outboxIn(tx).sms({ kind: "passwordReset", to: "+4540123456", text: "t" }),
      ),
    ).rejects.toThrow("passwordReset is not sent by sms.");
  });

  test("a worker that is stopped finishes the message under way", async () => {
    const id = await queue();
    let arrived = () => undefined as void;
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve));
    let release = () => undefined as void;
    peer.holdAfterData = () =>
      new Promise<void>((resolve) => {
        release = resolve;
        arrived();
      });
    const running = startWorker(portal);
    await hasArrived;
    let stopped = false;
    const stopping = running.stop().then(() => (stopped = true));
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 1 });
    expect(stopped).toBe(false);
    release();
    await stopping;
    expect(await rowOf(id)).toMatchObject({ outcome: "sent" });
  });

  test("a worker with nothing to send leaves no trace in the audit", async () => {
    const traces = () =>
      portal.db.selectFrom("audit_event").select("id").where("operation", "=", "outbox.send").execute();
    const before = await traces();
    await startWorker(portal).stop();
    expect(await traces()).toEqual(before);
  });
});

async function closedPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, "127.0.0.1", resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
