import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { listFailures } from "~/features/logs/failure-list.server";
import { readLogMessage } from "~/features/logs/log-list.server";
import { removeExpired } from "~/features/maintenance/operations.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { bounceMail } from "../../../tests/support/delivery/bounce-mail";
import { harmlessMails, unreadBounces } from "../../../tests/support/delivery/unread-bounces";
import { type SmtpPeer, startSmtpPeer } from "../../../tests/support/peers/smtp-peer";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readBounces } from "./receive-reports.server";
import { sendMessage } from "./send-message.server";

const system: Caller = { actor: { kind: "system", job: "test" }, site: "inside", address: "", sessionId: null };
const EMAIL = 0;

forEachDatabase("mail that comes back and no machine can read", { mariadb: "matrix" }, (dialect) => {
  let peer: SmtpPeer;
  let folder: string;
  let portal: TestPortal;
  let admin: Person;
  let mail: { id: number; to: string };
  let count = 0;

  beforeAll(async () => {
    peer = await startSmtpPeer();
    folder = await mkdtemp(path.join(os.tmpdir(), "portal-returned-"));
    portal = await createTestPortal(dialect, {
      env: {
        SMTP_URL: peer.url,
        MAIL_FROM: "klinik@eksempel.dk",
        BOUNCE_ADDRESS: "retur@post.eksempel.dk",
        BOUNCE_DIR: folder,
      },
    });
    admin = await aPerson(portal, { role: "Admin" });
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const email = `bo${(count += 1)}-${dialect}@eksempel.dk`;
    const referralId = await aReferral(portal, dentist, { email, emailConfirm: email });
    await portal.as(admin, sendCallUp, {
      referralId,
      incallType: EMAIL,
      unchanged: ["patientAddress", "patientZip", "patientCity", "patientEmail", "patientPhone", "patientMobilePhone"],
    });
    await portal.as(system.actor, sendMessage, { owner: "a", channel: "email" });
    const { id } = await portal.db.selectFrom("outbox").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
    mail = { id, to: peer.deliveries.at(-1)!.from };
  });

  const arrives = async (...texts: string[]) => {
    const before = new Date(Date.now() - 60_000);
    for (const [index, text] of texts.entries()) {
      const file = path.join(folder, `mail-${(count += 1)}-${index}`);
      await writeFile(file, text);
      await utimes(file, before, before);
    }
    await readBounces(portal, system);
  };
  const stateOf = async () =>
    portal.db
      .selectFrom("outbox")
      .select(["outcome", "reason", "detail", "handledAt"])
      .where("id", "=", mail.id)
      .executeTakeFirstOrThrow();
  const returned = async () => (await portal.as(admin, readLogMessage, { messageId: mail.id })).returned;
  const again = () =>
    portal.db
      .updateTable("outbox")
      .set({ outcome: "sent", reason: null, detail: null })
      .where("id", "=", mail.id)
      .execute();

  test("bounces of ten mail servers become work with their text and their own row", async () => {
    for (const { server, mail: text } of unreadBounces(mail.to)) {
      await again();
      await arrives(text);
      expect([server, (await stateOf()).outcome, (await stateOf()).reason]).toEqual([server, "unknown", "cameBack"]);
      expect((await returned())[0], server).toMatch(
        /soeren@eksempel\.dk|could not be delivered|User soeren not listed/,
      );
    }
    const { rows } = await portal.as(admin, listFailures, { withHandled: false });
    expect(rows.find(({ id }) => id === mail.id)?.can).toMatchObject({ arrived: true, again: true, handle: true });
    expect(await readdir(folder)).toEqual([]);
  });

  test("reading the text is audited; it is encrypted, bounded, deleted with the receipts", async () => {
    const [first] = unreadBounces(mail.to);
    await arrives(`${first!.mail}${"x ".repeat(40_000)}`);
    const stored = await portal.db.selectFrom("deliveryEvent").selectAll().where("outboxId", "=", mail.id).execute();
    expect(JSON.stringify(stored)).not.toContain("soeren");
    expect((await returned())[0]!.length).toBeLessThanOrEqual(20_000);
    await portal.audit.flush();
    const audited = await portal.db.selectFrom("auditEvent").select("detail").orderBy("id", "desc").limit(5).execute();
    expect(audited.map(({ detail }) => detail)).toContain(`message ${mail.id}`);
    portal.clock.advance({ days: 31 });
    await portal.as(system.actor, removeExpired, {});
    expect(await returned()).toEqual([]);
    portal.clock.advance({ days: -31 });
  });

  test("the same text again changes nothing once somebody has said that the mail arrived", async () => {
    const [first] = unreadBounces(mail.to);
    await arrives(first!.mail);
    await again();
    await arrives(first!.mail);
    expect((await stateOf()).outcome).toBe("sent");
  });

  test("delays, complaints and automatic answers change nothing, and are moved aside", async () => {
    await arrives(...harmlessMails(mail.to));
    expect(await stateOf()).toMatchObject({ outcome: "sent", reason: null });
    expect(await readdir(path.join(folder, "unread"))).toHaveLength(harmlessMails(mail.to).length);
    await rm(path.join(folder, "unread"), { recursive: true });
  });

  test("a report inside multipart/mixed is found; 5.0.0 is read by the server's answer", async () => {
    const report = bounceMail(
      mail.to,
      "Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 no such user here",
      "",
    );
    await arrives(
      `X-Original-To: ${mail.to}\nContent-Type: multipart/mixed; boundary="outer"\n\n--outer\n${report.trim()}\n--outer--\n`,
    );
    expect(await stateOf()).toMatchObject({
      outcome: "failed",
      reason: "noMailbox",
      detail: "Kom retur: adressen findes ikke (550 5.0.0)",
    });
  });
});
