import { rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { type Caller, execute, plainInput } from "~/access/operation.server";
import { partialPath, partialsFolder } from "~/features/images/partial-uploads.server";
import { saveReferrer } from "~/features/referrals/save-referrer.server";
import { beginRadiographUpload } from "~/features/referrals/upload-radiograph.server";
import type { Portal } from "~/portal.server";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, patientForm } from "../../../tests/factories/referrals";
import type { CrashPlan, CrashStep } from "../../../tests/support/crash/child";
import { buildChild, runChild } from "../../../tests/support/crash/run-child";
import { type SmtpPeer, startSmtpPeer } from "../../../tests/support/crash/smtp-peer";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { FAILED, SENT, UNKNOWN_TEXT } from "./delivery-status";
import { sendMessage } from "./send-message.server";

const worker: Caller = { actor: { kind: "system", job: "worker" }, door: "inside", address: "", sessionId: null };
const LONG = 300_000;

forEachDatabase("kill -9", (dialect) => {
  let peer: SmtpPeer;
  let portal: TestPortal;
  let child: string;
  let dentist: Person;

  beforeAll(async () => {
    child = await buildChild();
    peer = await startSmtpPeer();
    portal = await createTestPortal(dialect, { env: { SMTP_URL: peer.url } });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
    rmSync(child, { force: true });
  });

  const run = (plan: Omit<CrashPlan, "now">) => runChild(child, portal.config, { ...plan, now: portal.clock.now().toISOString() });
  const lastStatement = async (steps: CrashStep[]) => {
    const { statements, errors } = await run({ dieBefore: null, steps });
    expect(errors).toBe("");
    return statements ?? 0;
  };

  describe("during a send", () => {
    const steps: CrashStep[] = [{ does: "sendMessages", times: 1 }];
    const queue = (to: string) =>
      portal.db.transaction().execute((tx) => portal.outboxIn(tx).email({ kind: "test", to, subject: "Emne", text: "Tekst", html: "<p>Tekst</p>" }));
    const arrivedAt = (to: string) => peer.deliveries.filter((delivery) => delivery.to === to).length;

    /** Runs workers until nothing is due, now and a day from now. */
    async function comesAround(on: Portal = portal) {
      for (const hours of [0, 1, 24]) {
        portal.clock.advance({ hours, minutes: 3 });
        while ((await execute(on, worker, sendMessage, plainInput({ owner: "fresh" }))).found?.sent === true);
      }
    }

    async function expectTold(id: number, to: string) {
      const row = await portal.db.selectFrom("outbox").select(["status", "status_text", "lease_owner"]).where("id", "=", id).executeTakeFirstOrThrow();
      const arrived = arrivedAt(to);
      if (row.status === SENT) expect(arrived).toBe(1);
      else expect(row).toEqual({ status: FAILED, status_text: UNKNOWN_TEXT, lease_owner: null });
      expect(arrived).toBeLessThanOrEqual(1);
      return { status: row.status, arrived };
    }

    test("before every statement: sent once, or left for a person to judge; never lost, never twice", async () => {
      await queue("proeve@eksempel.dk");
      const last = await lastStatement(steps);
      expect(arrivedAt("proeve@eksempel.dk")).toBe(1);
      expect(last).toBeGreaterThan(6);
      const ends: { status: number; arrived: number }[] = [];
      for (let n = 1; n <= last; n += 1) {
        const to = `mord${n}@eksempel.dk`;
        const id = await queue(to);
        expect(await run({ dieBefore: n, steps })).toMatchObject({ signal: "SIGKILL" });
        await comesAround();
        ends.push(await expectTold(id, to));
      }
      // Both ways out were walked: killed before sending began, and after the message had arrived.
      expect(ends[0]).toEqual({ status: SENT, arrived: 1 });
      expect(ends.at(-1)).toEqual({ status: FAILED, arrived: 1 });
    }, LONG);

    test("right after the gateway's yes: it arrived, is not sent again, and says that nobody knows", async () => {
      const id = await queue("ja@eksempel.dk");
      expect(await run({ dieBefore: null, dieAfterSending: true, steps })).toMatchObject({ signal: "SIGKILL" });
      expect(arrivedAt("ja@eksempel.dk")).toBe(1);
      await comesAround();
      expect(await expectTold(id, "ja@eksempel.dk")).toEqual({ status: FAILED, arrived: 1 });
    }, LONG);

    test("two processes at once deliver each message once", async () => {
      const recipients = Array.from({ length: 12 }, (_, index) => `par${index}@eksempel.dk`);
      for (const to of recipients) await queue(to);
      const drain: CrashStep[] = [{ does: "sendMessages", times: 20 }];
      const ended = await Promise.all([run({ dieBefore: null, steps: drain }), run({ dieBefore: null, steps: drain })]);
      expect(ended.map(({ errors }) => errors)).toEqual(["", ""]);
      expect(recipients.map(arrivedAt)).toEqual(recipients.map(() => 1));
    }, LONG);
  });

  describe("during a submit", () => {
    async function all() {
      const { db } = portal;
      return {
        patients: await db.selectFrom("patient").select("id").orderBy("id").execute(),
        referrals: await db.selectFrom("referral").select(["id", "status", "sent_at", "available_step", "version", "clinic_id"]).orderBy("id").execute(),
        tokens: await db.selectFrom("referral_name_token").select(["referral_id", "token"]).orderBy("referral_id").orderBy("token").execute(),
        log: await db.selectFrom("visit_log").select(["referral_id", "event"]).orderBy("id").execute(),
        keys: await db.selectFrom("idempotency").select(["form_key", "location"]).orderBy("form_key").execute(),
        audit: await db.selectFrom("audit_referral").select(["referral_id", "audit_event_id"]).orderBy("audit_event_id").execute(),
      };
    }

    test("before every statement of saving the patient: all of it is there, or nothing, and saving again makes one draft", async () => {
      const save = (form: Record<string, unknown>): CrashStep[] => [{ does: "savePatient", person: dentist, input: form }];
      const last = await lastStatement(save(patientForm()));
      expect(last).toBeGreaterThan(6);
      for (let n = 1; n <= last; n += 1) {
        const form = patientForm();
        const before = await all();
        expect(await run({ dieBefore: n, steps: save(form) })).toMatchObject({ signal: "SIGKILL" });
        expect(await all()).toEqual(before);
        expect(await run({ dieBefore: null, steps: save(form) })).toMatchObject({ code: 0 });
        const after = await all();
        expect(after.referrals).toHaveLength(before.referrals.length + 1);
        expect(after.tokens.filter(({ referral_id }) => referral_id === after.referrals.at(-1)!.id).map(({ token }) => token)).toEqual(["moeller", "soeren"]);
        expect(after.audit).toHaveLength(before.audit.length + 1);
      }
    }, LONG);

    test("before every statement of sending: a draft still, or a referral with its log line", async () => {
      const referralId = await aDraft(portal, dentist);
      await portal.as(dentist, saveReferrer, { referralId });
      const send: CrashStep[] = [{ does: "sendReferral", person: dentist, input: { referralId, formKey: "", radiographsSendType: 3 } }];
      const before = await all();
      let n = 1;
      for (; n < 60; n += 1) {
        const ended = await run({ dieBefore: n, steps: send });
        if (ended.signal !== "SIGKILL") {
          expect(ended).toMatchObject({ code: 0, errors: "" });
          break;
        }
        expect(await all()).toEqual(before);
      }
      expect(n).toBeGreaterThan(5);
      const sent = (await all()).referrals.find(({ id }) => id === referralId);
      expect(sent).toMatchObject({ sent_at: expect.any(String) as string });
      expect(sent!.status).toBeGreaterThanOrEqual(0);
      const lines = async () => (await all()).log.filter((line) => line.referral_id === referralId);
      expect(await lines()).toEqual([{ referral_id: referralId, event: "Henvisningen er modtaget" }]);
      // Pressed again by somebody who saw no answer.
      expect(await run({ dieBefore: null, steps: send })).toMatchObject({ code: 0 });
      expect(await lines()).toHaveLength(1);
    }, LONG);

    test("before every statement of finishing an upload: the bytes are there to begin anew, and it becomes one image", async () => {
      const referralId = await aDraft(portal, dentist);
      await portal.as(dentist, saveReferrer, { referralId });
      const picture = await drawRadiograph({ type: 0, format: "jpg", seed: 21 });
      const { to } = await portal.as(dentist, beginRadiographUpload, { referralId, formKey: "crash-upload", radiographType: 0, fileName: "48.jpg", sizeBytes: picture.length });
      const uploadId = to!.split("/").at(-1)!;
      await mkdir(partialsFolder(portal.config.dataDir), { recursive: true });
      await writeFile(partialPath(portal.config.dataDir, uploadId), picture);
      const finish: CrashStep[] = [{ does: "finishRadiographUpload", person: dentist, input: { uploadId } }];
      const images = () => portal.db.selectFrom("referral_file").innerJoin("stored_file", "stored_file.id", "referral_file.stored_file_id").select(["file_name", "storage_key"]).where("referral_id", "=", referralId).execute();
      let n = 1;
      for (; n < 60; n += 1) {
        const ended = await run({ dieBefore: n, steps: finish });
        if (ended.signal !== "SIGKILL") {
          expect(ended).toMatchObject({ code: 0, errors: "" });
          break;
        }
      }
      expect(n).toBeGreaterThan(10);
      expect(await images()).toEqual([{ file_name: "48.jpg", storage_key: uploadId }]);
      expect(await portal.files.size(uploadId)).toBe(picture.length);
      expect(await portal.db.selectFrom("stored_file").select("id").where("file_name", "=", "48.jpg").execute()).toHaveLength(1);
    }, LONG);
  });
});
