import { afterAll, beforeAll, beforeEach } from "vitest";
import { z } from "zod";
import type { Caller } from "~/access/caller";
import { change, execute, plainInput } from "~/access/operation.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import type { Portal } from "~/portal.server";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";
import { type SmtpPeer, startSmtpPeer } from "../peers/smtp-peer";

const worker: Caller = { actor: { kind: "system", job: "worker" }, site: "inside", address: "", sessionId: null };

/** A change that queues a mail and then succeeds or fails. */
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

/** A portal with a mail server of its own for the tests of one file; the outbox is empty before each test. */
export function mailOutbox(dialect: Dialect, opened: (portal: TestPortal, peer: SmtpPeer) => void) {
  let peer: SmtpPeer;
  let portal: TestPortal;
  beforeAll(async () => {
    peer = await startSmtpPeer();
    portal = await createTestPortal(dialect, { env: { SMTP_URL: peer.url, PRODUCT_NAME: "Henvisning Ærø & Åbenrå" } });
    opened(portal, peer);
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
  });
  beforeEach(async () => {
    peer.reset();
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    await portal.db.deleteFrom("outboxAttempt").execute();
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
      .selectFrom("outboxAttempt")
      .select(["at", "outcome", "detail"])
      .where("outboxId", "=", id)
      .orderBy("id")
      .execute();

  return { queue, workOnce, rowOf, attemptsOf };
}
