import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import type { Portal } from "~/portal.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { bounceMail } from "../../../tests/support/delivery/bounce-mail";
import { readMail, type SmtpPeer, startSmtpPeer } from "../../../tests/support/peers/smtp-peer";
import { refusing } from "../../../tests/support/refusing-trigger";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readBounces } from "./receive-reports.server";
import { sendMessage } from "./send-message.server";

const system: Caller = { actor: { kind: "system", job: "test" }, site: "inside", address: "", sessionId: null };
const PERMANENT = "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <soeren@eksempel.dk> unknown user";
const EMAIL = 0;

forEachDatabase("bounces", { mariadb: "matrix" }, (dialect) => {
  let peer: SmtpPeer;
  let folder: string;
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let files = 0;
  let warnings: unknown[];

  beforeAll(async () => {
    peer = await startSmtpPeer();
    folder = await mkdtemp(path.join(os.tmpdir(), "portal-bounces-"));
    portal = await createTestPortal(dialect, {
      env: {
        SMTP_URL: peer.url,
        MAIL_FROM: "klinik@eksempel.dk",
        BOUNCE_ADDRESS: "Retur@post.eksempel.dk",
        BOUNCE_DIR: folder,
      },
    });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    peer.reset();
    warnings = [];
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true });
    for (const table of ["callUp", "outboxAttempt", "deliveryEvent", "outbox"] as const)
      await portal.db.deleteFrom(table).execute();
    const email = `soeren${(files += 1)}-${dialect}@eksempel.dk`;
    referralId = await aReferral(portal, dentist, { email, emailConfirm: email });
    await moveTo(3);
  });

  const version = async () =>
    (
      await portal.db
        .selectFrom("referral")
        .select("statusVersion")
        .where("id", "=", referralId)
        .executeTakeFirstOrThrow()
    ).statusVersion;
  async function moveTo(status: number) {
    await portal.as(admin, setStatus, { referralId, seenVersion: await version(), status });
    portal.clock.advance({ minutes: 1 });
  }
  /** Calls the patient up by mail; returns the row and the envelope sender that the peer saw. */
  async function callUp(): Promise<{ id: number; from: string }> {
    await portal.as(admin, sendCallUp, {
      referralId,
      incallType: EMAIL,
      unchanged: ["patientAddress", "patientZip", "patientCity", "patientEmail", "patientPhone", "patientMobilePhone"],
    });
    await portal.as(system.actor, sendMessage, { owner: "a", channel: "email" });
    const { id } = await portal.db.selectFrom("outbox").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
    portal.clock.advance({ minutes: 5 });
    return { id, from: peer.deliveries.at(-1)!.from };
  }
  const stateOf = async (id: number) => ({
    ...(await portal.db
      .selectFrom("outbox")
      .select(["outcome", "code", "reason", "detail"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow()),
    ...(await portal.db
      .selectFrom("referral")
      .select(["status", "callUpStatus"])
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow()),
  });
  const SENT = { outcome: "sent", code: 3, reason: null, detail: null, status: 5, callUpStatus: 3 };
  const RETURNED = {
    outcome: "failed",
    code: 9,
    reason: "noMailbox",
    detail: "Kom retur: adressen findes ikke (550 5.1.1)",
    status: 3,
    callUpStatus: 2,
  };
  async function drop(text: string, name = `bounce-${(files += 1)}`) {
    const file = path.join(folder, name);
    await writeFile(file, text);
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(file, minuteAgo, minuteAgo);
  }
  /** Runs the job and captures its warnings. */
  const readAll = () => {
    const warn = (warning: unknown) => void warnings.push(warning);
    const log = Object.assign(Object.create(portal.log) as Portal["log"], { warn });
    return readBounces({ ...portal, log }, system);
  };
  const eventsOf = async () =>
    (
      await portal.db
        .selectFrom("visitLog")
        .select(["event", "status"])
        .where("referralId", "=", referralId)
        .orderBy("id")
        .execute()
    ).slice(-2);

  test("a mail leaves with its own envelope sender, unseen by its reader", async () => {
    const { id, from } = await callUp();
    expect(from).toMatch(new RegExp(`^Retur\\+${id}-[0-9a-f]{16}@post\\.eksempel\\.dk$`));
    expect(readMail(peer.deliveries[0]!.raw).from).toContain("<klinik@eksempel.dk>");
    expect(peer.deliveries[0]!.raw).not.toContain("Retur+");
    expect(peer.deliveries[0]!.raw).toContain("X-Auto-Response-Suppress: All\r\n");
    expect(await stateOf(id)).toEqual(SENT);
  });

  test("a permanent failure gives the reason and restores the referral's status", async () => {
    const { id, from } = await callUp();
    await drop(bounceMail(from, PERMANENT));
    await readAll();
    expect(await stateOf(id)).toEqual(RETURNED);
    expect(await eventsOf()).toEqual([
      { event: "Indkaldelse: Mislykkedes (Kom retur: adressen findes ikke (550 5.1.1))", status: null },
      { event: "Indkaldelsen kom retur", status: 3 },
    ]);
    expect([await readdir(folder), warnings]).toEqual([[], []]);
  });

  test("a report that cannot be written stays for the next run and stops no other", async () => {
    const [stuck, next] = [await callUp(), await callUp()];
    await drop(bounceMail(stuck.from, PERMANENT), "bounce-a");
    await drop(bounceMail(next.from, PERMANENT), "bounce-b");
    const mend = await refusing(portal, "update", "outbox", `old.id = ${stuck.id}`);
    await expect(readAll()).rejects.toThrow("on purpose");
    await mend();
    expect(await readdir(folder)).toEqual(["bounce-a"]);
    expect((await stateOf(next.id)).outcome).toBe("failed");
    await readAll();
    expect([await readdir(folder), (await stateOf(stuck.id)).outcome]).toEqual([[], "failed"]);
  });

  test("a status that was set meanwhile stays, though it is the same one again", async () => {
    const { id, from } = await callUp();
    await moveTo(6);
    await moveTo(5);
    await drop(bounceMail(from, PERMANENT));
    await readAll();
    expect(await stateOf(id)).toEqual({ ...RETURNED, status: 5 });
  });

  test("a repeated report changes nothing, in the same file or another", async () => {
    const { id, from } = await callUp();
    await drop(bounceMail(from, PERMANENT));
    await readAll();
    await portal.db.updateTable("outbox").set({ outcome: "sent" }).where("id", "=", id).execute();
    await drop(`Received: by another\n${bounceMail(from.toLowerCase(), PERMANENT)}`.replaceAll("\n", "\r\n"));
    await readAll();
    expect((await stateOf(id)).outcome).toBe("sent");
    expect(await readdir(folder)).toEqual([]);
  });

  test("a delay is only logged, and the failure that follows counts", async () => {
    const { id, from } = await callUp();
    await drop(bounceMail(from, "Action: delayed\nStatus: 4.4.1"));
    await readAll();
    expect(await stateOf(id)).toEqual(SENT);
    await drop(bounceMail(from, "Action: failed\nStatus: 4.4.7"));
    await readAll();
    expect(await stateOf(id)).toMatchObject({
      outcome: "failed",
      detail: "Kom retur: modtagerens mailserver svarede ikke (4.4.7)",
    });
  });

  test("a forged check, another mail's number and an unknown one are refused and logged", async () => {
    const { id, from } = await callUp();
    const other = await callUp();
    const check = /-([0-9a-f]{16})@/.exec(from)![1]!;
    const forged = [
      from.replace(check, "0".repeat(16)),
      from.replace(`+${id}-`, `+${other.id}-`),
      from.replace(`+${id}-`, "+999999999-"),
    ];
    for (const to of forged) await drop(bounceMail(to, PERMANENT));
    await readAll();
    expect([(await stateOf(id)).outcome, (await stateOf(other.id)).outcome]).toEqual(["sent", "sent"]);
    expect(warnings).toHaveLength(3);
    expect(await portal.db.selectFrom("deliveryEvent").select("id").execute()).toEqual([]);
  });

  test("moves a file that is no report aside, and waits for a file that is being written", async () => {
    const { id, from } = await callUp();
    await drop(`To: ${from}\nSubject: Ferie\nContent-Type: text/plain\n\nAction: failed\nStatus: 5.1.1\n`, "ferie");
    await drop(bounceMail("andre@eksempel.dk", PERMANENT), "andres");
    await drop("", "tom");
    await writeFile(path.join(folder, "skrives"), bounceMail(from, PERMANENT));
    await readAll();
    expect(await stateOf(id)).toEqual(SENT);
    expect((await readdir(folder)).toSorted()).toEqual(["skrives", "unread"]);
    expect((await readdir(path.join(folder, "unread"))).toSorted()).toEqual(["andres", "ferie", "tom"]);
    expect(warnings).toEqual([{ count: 3, first: ["andres", "ferie", "tom"] }]);
  });

  test("keeps a file whose bounce could not be stored, and processes it at the next run", async () => {
    const { id, from } = await callUp();
    await drop(bounceMail(from, PERMANENT));
    const broken: Portal = {
      ...portal,
      outboxIn: () => {
        throw new Error("on purpose");
      },
    };
    await expect(readBounces(broken, system)).rejects.toThrow("on purpose");
    expect([(await stateOf(id)).outcome, (await readdir(folder)).length]).toEqual(["sent", 1]);
    await readAll();
    expect(await stateOf(id)).toEqual(RETURNED);
  });
});
