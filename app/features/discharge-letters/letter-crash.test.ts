// @module-tag matrix
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { sendMessage } from "~/features/delivery/send-message.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeLetter } from "~/files/store-file.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import type { CrashStep } from "../../../tests/support/crash/child";
import { buildChild, runChild } from "../../../tests/support/crash/run-child";
import { stepOf } from "../../../tests/support/portals/killed-portal";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../../../tests/support/peers/gatewayapi-peer";
import { type SmtpPeer, startSmtpPeer } from "../../../tests/support/peers/smtp-peer";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { sendLetterToPatient } from "./operations.server";
import { uploadLetter } from "./upload-letter.server";

const worker: Caller = { actor: { kind: "system", job: "worker" }, site: "inside", address: "", sessionId: null };
const LONG = 300_000;
const SMS = 1;

/** Includes the hooks of each kind before and after sending. */
forEachDatabase("kill -9 while a discharge letter or its link is sent", (dialect) => {
  const step = stepOf(dialect);
  let smtp: SmtpPeer;
  let gatewayApi: GatewayApiPeer;
  let portal: TestPortal;
  let env: Record<string, string>;
  let child: string;
  let admin: Person;
  let dentist: Person;
  let turn = 0;

  beforeAll(async () => {
    child = await buildChild();
    smtp = await startSmtpPeer();
    gatewayApi = await startGatewayApiPeer();
    env = { SMTP_URL: smtp.url, SMS_URL: gatewayApi.url, SMS_TOKEN };
    portal = await createTestPortal(dialect, { env });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
    await smtp.stop();
    await gatewayApi.stop();
  });

  const run = (dieBefore: number | null, steps: CrashStep[], dieAfterSending = false) =>
    runChild(child, portal.config, { dieBefore, dieAfterSending, steps, now: portal.clock.now().toISOString() }, env);

  async function aLetter(): Promise<{ referralId: number; phone: string }> {
    const phone = `4500${String((turn += 1)).padStart(4, "0")}`;
    const referralId = await aReferral(portal, dentist, { mobilePhone: phone });
    const formKey = `crash-${turn}`;
    const stored = await storeLetter(portal, { name: "brev.pdf", pdf: Buffer.from("%PDF-1.7 brev") });
    await portal.as(admin, stageUploads, { formKey, files: [{ ...stored, field: "letterPdf", kind: "letter" }] });
    await portal.as(admin, uploadLetter, { referralId, letterNumber: 1, formKey });
    return { referralId, phone };
  }

  async function comesAround(channel: ChannelName) {
    for (const hours of [0, 1, 24]) {
      portal.clock.advance({ hours, minutes: 3 });
      while ((await execute(portal, worker, sendMessage, plainInput({ owner: "fresh", channel }))).data?.sent === true);
    }
  }

  const rowOf = (referralId: number, kind: string) =>
    portal.db
      .selectFrom("outbox")
      .select(["outcome", "leaseOwner"])
      .where("referralId", "=", referralId)
      .where("kind", "=", kind)
      .executeTakeFirstOrThrow();
  const countSentLogs = async (referralId: number) =>
    (
      await portal.db
        .selectFrom("visitLog")
        .select("event")
        .where("referralId", "=", referralId)
        .where("event", "like", "%: Sendt")
        .execute()
    ).length;
  const mails = (referralId: number) =>
    smtp.deliveries.filter(({ raw }) => new RegExp(`^Subject: .* nr\\. ${referralId}\\r?$`, "m").test(raw)).length;
  const texts = (phone: string) => gatewayApi.deliveries.filter((sms) => String(sms.recipient) === `45${phone}`).length;

  /** A message counted as sent arrived once; one in doubt arrived at most once. */
  function expectOnce(arrived: number, outcome: string, n: number) {
    if (outcome === "sent") expect(arrived, `before ${n}`).toBe(1);
    else expect(arrived, `before ${n}`).toBeLessThanOrEqual(1);
  }

  test(
    "the mail to the referrer goes once, and the letter says what is known of it",
    async () => {
      const steps: CrashStep[] = [{ does: "sendMessages", times: 1, channel: "email" }];
      const first = await aLetter();
      const { statements, errors } = await run(null, steps);
      expect(errors).toBe("");
      expect([mails(first.referralId), await countSentLogs(first.referralId)]).toEqual([1, 1]);
      const ends: string[] = [];
      for (let n = 1; n <= statements!; n += step) {
        const { referralId } = await aLetter();
        expect(await run(n, steps)).toMatchObject({ signal: "SIGKILL" });
        await comesAround("email");
        const { outcome, leaseOwner } = await rowOf(referralId, "dischargeLetter");
        expect([["sent", "unknown"].includes(outcome), leaseOwner], `before ${n}`).toEqual([true, null]);
        expectOnce(mails(referralId), outcome, n);
        expect(await countSentLogs(referralId), `before ${n}`).toBe(outcome === "sent" ? 1 : 0);
        const { dischargeSentAt: sentAt } = await portal.db
          .selectFrom("referral")
          .select("dischargeSentAt")
          .where("id", "=", referralId)
          .executeTakeFirstOrThrow();
        expect(sentAt !== null, `before ${n}`).toBe(outcome === "sent");
        ends.push(outcome);
      }
      expect(ends[0]).toBe("sent");
    },
    LONG,
  );

  test(
    "the link to the patient goes once, also right after the provider's yes",
    async () => {
      const steps: CrashStep[] = [{ does: "sendMessages", times: 1, channel: "sms" }];
      const ask = async () => {
        const { referralId, phone } = await aLetter();
        await portal.as(admin, sendLetterToPatient, { referralId, letterNumber: 1, messageType: SMS });
        return { referralId, phone };
      };
      const first = await ask();
      const { statements, errors } = await run(null, steps);
      expect([errors, texts(first.phone)]).toEqual(["", 1]);
      for (let n = 1; n <= statements!; n += step) {
        const { referralId, phone } = await ask();
        expect(await run(n, steps)).toMatchObject({ signal: "SIGKILL" });
        await comesAround("sms");
        const { outcome, leaseOwner } = await rowOf(referralId, "letterFilesLink");
        expect([["sent", "unknown"].includes(outcome), leaseOwner], `before ${n}`).toEqual([true, null]);
        expectOnce(texts(phone), outcome, n);
      }
      const last = await ask();
      expect(await run(null, steps, true)).toMatchObject({ signal: "SIGKILL" });
      await comesAround("sms");
      expect([texts(last.phone), (await rowOf(last.referralId, "letterFilesLink")).outcome]).toEqual([1, "unknown"]);
    },
    LONG,
  );

  test(
    "a letter by EDI lies in the folder whole, once and under one number",
    async () => {
      await portal.db
        .updateTable("user")
        .set({ sendEndingLettersViaEdi: true, ediDentistId: "5790000121526" })
        .where("id", "=", dentist.id)
        .execute();
      const steps: CrashStep[] = [{ does: "sendMessages", times: 1, channel: "edi" }];
      const ask = async () => {
        const { referralId } = await aLetter();
        await portal.db
          .updateTable("referral")
          .set(sealedCpr.seal(portal.secrets, "010170-1234"))
          .where("id", "=", referralId)
          .execute();
        return referralId;
      };
      const messages = (referralId: number) =>
        portal.db
          .selectFrom("outbox")
          .select(["id", "channel", "outcome", "leaseOwner"])
          .where("referralId", "=", referralId)
          .orderBy("id")
          .execute();
      const expectOneLetter = async (referralId: number, when: string) => {
        const [byEdi, ...others] = await messages(referralId);
        expect([byEdi!.outcome, byEdi!.leaseOwner, others.map(({ channel }) => channel)], when).toEqual([
          "sent",
          null,
          ["email"],
        ]);
        const folder = path.join(portal.config.dataDir, "edi", "out");
        const names = readdirSync(folder).filter((name) => name.startsWith(`edi-${byEdi!.id}-`));
        expect(names.toSorted(), when).toEqual([
          expect.stringMatching(/^edi-\d+-[0-9a-f]+-bin\.xml$/),
          expect.stringMatching(/^edi-\d+-[0-9a-f]+\.xml$/),
        ]);
        for (const name of names) expect(readFileSync(path.join(folder, name), "latin1")).toMatch(/<\/Emessage>\n$/);
      };
      const first = await ask();
      const { statements, errors } = await run(null, steps);
      expect(errors).toBe("");
      await expectOneLetter(first, "never");
      for (let n = 1; n <= statements!; n += step) {
        const referralId = await ask();
        expect(await run(n, steps)).toMatchObject({ signal: "SIGKILL" });
        await comesAround("edi");
        await expectOneLetter(referralId, `before ${n}`);
      }
      const last = await ask();
      expect(await run(null, steps, true)).toMatchObject({ signal: "SIGKILL" });
      await comesAround("edi");
      await expectOneLetter(last, "after the folder's yes");
    },
    LONG,
  );
});
