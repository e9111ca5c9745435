import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import type { EmailGateway } from "~/gateways/email/port";
import { createSmtpGateway } from "~/gateways/email/smtp.server";
import { startWorker } from "~/jobs/worker.server";
import type { Portal } from "~/portal.server";
import { aPerson } from "../../../tests/factories/people";
import { mailOutbox } from "../../../tests/support/delivery/mail-outbox";
import { readMail, type SmtpPeer } from "../../../tests/support/peers/smtp-peer";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

forEachDatabase("the outbox", { mariadb: "matrix" }, (dialect) => {
  let peer: SmtpPeer;
  let portal: TestPortal;
  const { queue, workOnce, rowOf, attemptsOf } = mailOutbox(dialect, (opened, smtp) => {
    portal = opened;
    peer = smtp;
  });
  const queueNews = () =>
    inTransaction(portal.db, (tx) =>
      portal.outboxIn(tx).email({ to: "a@eksempel.dk", subject: "s", text: "t", html: "h", kind: "statusNews" }),
    );
  const through = (email: EmailGateway): Portal => ({ ...portal, email });

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
      sentAt: "2026-12-01T09:00:00.000Z",
      settledAt: "2026-12-01T09:00:00.000Z",
      leaseOwner: null,
      leaseUntil: null,
      sendingSince: null,
    });
    expect(await attemptsOf(id)).toEqual([
      { at: "2026-12-01T09:00:00.000Z", outcome: "sent", detail: expect.stringMatching(/^250/) as string },
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
      detail: "550",
      reason: "noMailbox",
      attempts: 1,
      sentAt: null,
      settledAt: "2026-12-01T09:00:00.000Z",
    });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: "refused", detail: "550" }]);
    peer.refuseRecipient = null;
    portal.clock.advance({ days: 30 });
    expect(await workOnce()).toBe(false);
    expect(peer.requests).toBe(1);
  });

  test("a temporary refusal is retried for four hours at growing intervals", async () => {
    const id = await queue();
    peer.refuseRecipient = { code: 451, text: "Try again later" };
    expect(await workOnce()).toBe(true);
    for (const [index, minutes] of [1, 4, 10, 15, 30, 60, 60, 60].entries()) {
      expect(await rowOf(id)).toMatchObject({
        outcome: "queued",
        attempts: index + 1,
        detail: "451",
        leaseOwner: null,
        sendingSince: null,
        settledAt: null,
      });
      portal.clock.advance({ minutes: minutes - 1 / 60_000 });
      expect(await workOnce()).toBe(false);
      portal.clock.advance({ minutes: 1 / 60_000 });
      expect(await workOnce()).toBe(true);
    }
    expect(peer.requests).toBe(9);
    expect(await rowOf(id)).toMatchObject({ outcome: "failed", attempts: 9, detail: "451" });
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
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 0, notBefore: "2026-12-01T09:01:00.000Z" });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: "retry" }]);
    portal.clock.advance({ minutes: 1 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", attempts: 1 });
  });

  test("a server that is away for three days gets the message once it is back", async () => {
    const id = await queueNews();
    const away = through(createSmtpGateway(`smtp://127.0.0.1:${await closedPort()}`));
    for (let quarters = 0; quarters < 3 * 24 * 4; quarters += 1) {
      expect(await workOnce("a", away)).toBe(true);
      portal.clock.advance({ minutes: 15 });
    }
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 0, reason: "noConnection" });
    // The first and the last attempt during the outage.
    expect((await attemptsOf(id)).map(({ at }) => at)).toEqual([
      "2026-12-01T09:00:00.000Z",
      "2026-12-04T08:45:00.000Z",
    ]);
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", attempts: 1, detail: null, reason: null });
    expect(peer.deliveries).toHaveLength(1);
  });

  test("a message whose server stays away fails when it expires, with what kept it", async () => {
    const id = await queueNews();
    await workOnce("a", through(createSmtpGateway(`smtp://127.0.0.1:${await closedPort()}`)));
    portal.clock.advance({ days: 7 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "failed", reason: "noConnection", attempts: 0 });
    expect(peer.requests).toBe(0);
  });

  test("a message whose server is away can be withdrawn", async () => {
    const id = await queueNews();
    await workOnce("a", through(createSmtpGateway(`smtp://127.0.0.1:${await closedPort()}`)));
    expect(await inTransaction(portal.db, (tx) => portal.outboxIn(tx).withdrawMessage(id))).toBe(true);
    expect(await rowOf(id)).toMatchObject({ outcome: "withdrawn" });
  });

  test("says that sending begins only when the server has taken sender and receiver", async () => {
    const id = await queue();
    let beforeData: unknown;
    peer.holdRecipient = async () => {
      beforeData = await rowOf(id);
    };
    peer.holdAfterData = async () => {
      expect(await rowOf(id)).toMatchObject({ sendingSince: "2026-12-01T09:00:00.000Z" });
    };
    await workOnce();
    expect(beforeData).toMatchObject({ sendingSince: null, attempts: 0 });
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", attempts: 1 });
  });

  test("a message taken by another worker while the server is slow is not sent here", async () => {
    const id = await queue();
    peer.holdRecipient = async () => {
      await portal.db.updateTable("outbox").set({ leaseOwner: "other" }).where("id", "=", id).execute();
    };
    expect(await workOnce()).toBe(false);
    expect(peer.deliveries).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", leaseOwner: "other", attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  test("a connection that closes before the message was handed over is retried", async () => {
    const rude = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => {
      rude.listen(0, "127.0.0.1", resolve);
    });
    const id = await queue();
    await workOnce("a", through(createSmtpGateway(`smtp://127.0.0.1:${(rude.address() as AddressInfo).port}`)));
    rude.close();
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 0 });
  });

  test("a connection that closes after the hand-over leaves the outcome unknown", async () => {
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
      settledAt: "2026-12-01T09:30:00.000Z",
    });
    expect(peer.requests).toBe(0);
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
      portal.db.selectFrom("auditEvent").select("id").where("operation", "=", "outbox.send").execute();
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
