import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { storeParts } from "~/files/staging/upload-parts.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { beginRadiographUpload } from "~/features/referrals/images/upload-radiograph.server";
import { purgeFiles } from "~/features/maintenance/purge-files.server";
import type { Portal } from "~/portal.server";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, patientForm } from "../../../tests/factories/referrals";
import type { CrashPlan, CrashStep } from "../../../tests/support/crash/child";
import { buildChild, runChild } from "../../../tests/support/crash/run-child";
import { aLetterFile } from "../../../tests/factories/letters";
import { type NetsSharePeer, startNetsSharePeer } from "../../../tests/support/delivery/nets-share-peer";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../../../tests/support/delivery/gatewayapi-peer";
import { type SmtpPeer, startSmtpPeer } from "../../../tests/support/delivery/smtp-peer";
import { createTestPortal, type Dialect, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { type ChannelName, channelNames, type Outcome } from "./delivery-outcome";
import { sendMessage } from "./send-message.server";

const worker: Caller = { actor: { kind: "system", job: "worker" }, site: "inside", address: "", sessionId: null };
/** Images have a test of their own beside them. */
type MessageChannel = Exclude<ChannelName, "archive">;
const messageChannels = channelNames.filter((name): name is MessageChannel => name !== "archive");
const LONG = 300_000;

/** A process is killed before every fourth statement on SQLite, and before every ninth one on MariaDB; `npm run fuzz` asks for all. */
const stepOf = (dialect: Dialect) => (process.env.FUZZ_RUNS ? 1 : dialect === "mariadb" ? 9 : 4);

function deaths(dialect: Dialect, last: number): number[] {
  const step = stepOf(dialect);
  const chosen = Array.from({ length: Math.ceil(last / step) }, (_, index) => index * step + 1);
  return chosen.at(-1) === last ? chosen : [...chosen, last];
}

forEachDatabase("kill -9", (dialect) => {
  let smtp: SmtpPeer;
  let gatewayApi: GatewayApiPeer;
  let netsShare: NetsSharePeer;
  let portal: TestPortal;
  let env: Record<string, string>;
  let child: string;
  const step = stepOf(dialect);
  let dentist: Person;

  beforeAll(async () => {
    child = await buildChild();
    smtp = await startSmtpPeer();
    gatewayApi = await startGatewayApiPeer();
    netsShare = await startNetsSharePeer();
    env = { SMTP_URL: smtp.url, SMS_URL: gatewayApi.url, SMS_TOKEN, ...netsShare.env };
    portal = await createTestPortal(dialect, { env });
    portal.kindHooks = { ...portal.kindHooks, callUp: {} };
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
    await smtp.stop();
    await gatewayApi.stop();
    await netsShare.stop();
  });

  const run = (plan: Omit<CrashPlan, "now">) =>
    runChild(child, portal.config, { ...plan, now: portal.clock.now().toISOString() }, env);
  const lastStatement = async (steps: CrashStep[]) => {
    const { statements, errors } = await run({ dieBefore: null, steps });
    expect(errors).toBe("");
    return statements ?? 0;
  };

  /** `sure`: how it ends when nothing is in doubt. `doubtful`: when somebody died in the middle; a letter may be sent again, since its second shipment is refused as the same. */
  const ways: Record<MessageChannel, { sure: Outcome; doubtful: Outcome }> = {
    email: { sure: "sent", doubtful: "unknown" },
    sms: { sure: "sent", doubtful: "unknown" },
    eboks: { sure: "awaiting", doubtful: "awaiting" },
    print: { sure: "awaiting", doubtful: "awaiting" },
    edi: { sure: "sent", doubtful: "sent" },
  };

  describe.each(messageChannels)("during a send by %s", (channel) => {
    const steps: CrashStep[] = [{ does: "sendMessages", times: 1, channel }];
    const { sure, doubtful } = ways[channel];
    let storedFileId: number;
    beforeAll(async () => {
      storedFileId = await aLetterFile(portal);
    });
    const receiver = (n: number) => {
      const two = String(n).padStart(2, "0");
      if (channel === "email") return `modtager${n}@eksempel.dk`;
      if (channel === "sms") return `+45400000${two}`;
      if (channel === "edi") return `57900001203${two}`;
      return channel === "eboks" ? `25124899${two}` : `Åse Øst ${two}\nÅvej ${n}\n8000 Aarhus C`;
    };
    const queue = (to: string) =>
      portal.db.transaction().execute((tx) => {
        const outbox = portal.outboxIn(tx);
        const message = { kind: "testMessage", to, text: "Tekst" } as const;
        if (channel === "email") return outbox.email({ ...message, subject: "Emne", html: "<p>Tekst</p>" });
        if (channel === "sms") return outbox.sms(message);
        if (channel === "edi") return outbox.edi({ kind: "ediReceipt", to, syntax: "xml", text: `<to>${to}</to>` });
        return outbox[channel]({ kind: "callUp", to, text: "Tekst", title: "Indkaldelse", storedFileId });
      });
    const arrivedAt = (to: string) => {
      if (channel === "email") return smtp.deliveries.filter((mail) => mail.to === to).length;
      if (channel === "edi") return ediFilesTo(to);
      if (channel === "sms") return gatewayApi.deliveries.filter((sms) => `+${sms.recipient}` === to).length;
      netsShare.receiveShipments();
      return netsShare.shipments.filter(({ xml }) => xml.includes(`>${to.split("\n")[0]}<`)).length;
    };

    const ediFilesTo = (to: string) => {
      const out = path.join(portal.config.dataDir, "edi", "out");
      return readdirSync(out).filter((name) => readFileSync(path.join(out, name), "utf8").includes(`<to>${to}<`))
        .length;
    };

    /** Runs workers until nothing is due, now and a day from now. */
    async function comesAround(on: Portal = portal) {
      for (const hours of [0, 1, 24]) {
        portal.clock.advance({ hours, minutes: 3 });
        while ((await execute(on, worker, sendMessage, plainInput({ owner: "fresh", channel }))).data?.sent === true);
      }
    }

    async function expectReported(id: number, to: string) {
      const row = await portal.db
        .selectFrom("outbox")
        .select(["outcome", "lease_owner"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const arrived = arrivedAt(to);
      if (row.outcome === sure) expect(arrived).toBe(1);
      else expect(row).toEqual({ outcome: doubtful, lease_owner: null });
      expect(arrived).toBeLessThanOrEqual(1);
      return { outcome: row.outcome, arrived };
    }

    test(
      "before its statements: sent once, or left for a person to judge; never lost, never twice",
      async () => {
        await queue(receiver(0));
        const last = await lastStatement(steps);
        expect(arrivedAt(receiver(0))).toBe(1);
        expect(last).toBeGreaterThan(6);
        const ends: { outcome: string; arrived: number }[] = [];
        for (const n of deaths(dialect, last)) {
          const to = receiver(n);
          const id = await queue(to);
          expect(await run({ dieBefore: n, steps })).toMatchObject({ signal: "SIGKILL" });
          await comesAround();
          ends.push(await expectReported(id, to));
        }
        // Both cases occurred: killed before sending began, and after the message had arrived.
        expect(ends[0]).toEqual({ outcome: sure, arrived: 1 });
        expect(ends.at(-1)).toEqual({ outcome: doubtful, arrived: 1 });
      },
      LONG,
    );

    test(
      "right after the gateway's yes: it arrived, does not arrive again, and says what is known of it",
      async () => {
        const id = await queue(receiver(90));
        expect(await run({ dieBefore: null, dieAfterSending: true, steps })).toMatchObject({ signal: "SIGKILL" });
        expect(arrivedAt(receiver(90))).toBe(1);
        await comesAround();
        expect(await expectReported(id, receiver(90))).toEqual({ outcome: doubtful, arrived: 1 });
      },
      LONG,
    );

    test(
      "two processes at once deliver each message once",
      async () => {
        const receivers = Array.from({ length: 8 }, (_, index) => receiver(70 + index));
        for (const to of receivers) await queue(to);
        const drain: CrashStep[] = [{ does: "sendMessages", times: 12, channel }];
        const ended = await Promise.all([
          run({ dieBefore: null, steps: drain }),
          run({ dieBefore: null, steps: drain }),
        ]);
        expect(ended.map(({ errors }) => errors)).toEqual(["", ""]);
        expect(receivers.map(arrivedAt)).toEqual(receivers.map(() => 1));
      },
      LONG,
    );
  });

  describe("during a submit", () => {
    async function all() {
      const { db } = portal;
      return {
        patients: await db.selectFrom("patient").select("id").orderBy("id").execute(),
        referrals: await db
          .selectFrom("referral")
          .select(["id", "status", "sent_at", "available_step", "version", "clinic_id"])
          .orderBy("id")
          .execute(),
        tokens: await db
          .selectFrom("referral_name_token")
          .select(["referral_id", "token"])
          .orderBy("referral_id")
          .orderBy("token")
          .execute(),
        log: await db.selectFrom("visit_log").select(["referral_id", "event"]).orderBy("id").execute(),
        keys: await db.selectFrom("idempotency").select(["form_key", "location"]).orderBy("form_key").execute(),
        audit: await db
          .selectFrom("audit_referral")
          .select(["referral_id", "audit_event_id"])
          .orderBy("audit_event_id")
          .execute(),
      };
    }

    test(
      "before the statements of saving the patient: all of it is there, or nothing, and saving again makes one draft",
      async () => {
        const save = (form: Record<string, unknown>): CrashStep[] => [
          { does: "savePatient", person: dentist, input: form },
        ];
        const last = await lastStatement(save(patientForm()));
        expect(last).toBeGreaterThan(6);
        for (const n of deaths(dialect, last)) {
          const form = patientForm();
          const before = await all();
          expect(await run({ dieBefore: n, steps: save(form) })).toMatchObject({ signal: "SIGKILL" });
          const left = await all();
          // What is told to other processes comes after the commit.
          const wasSaved = left.referrals.length > before.referrals.length;
          if (wasSaved) expect(n).toBe(last);
          else expect(left).toEqual(before);
          expect(await run({ dieBefore: null, steps: save(form) })).toMatchObject({ code: 0 });
          const after = await all();
          expect(after.referrals).toHaveLength(before.referrals.length + 1);
          expect(
            after.tokens
              .filter(({ referral_id }) => referral_id === after.referrals.at(-1)!.id)
              .map(({ token }) => token),
          ).toEqual(["moeller", "soeren"]);
          expect(after.audit).toHaveLength(before.audit.length + (wasSaved ? 2 : 1));
        }
      },
      LONG,
    );

    test(
      "before the statements of sending: a draft still, or a referral with its log line",
      async () => {
        const referralId = await aDraft(portal, dentist);
        await portal.as(dentist, saveReferrer, { referralId });
        const send: CrashStep[] = [
          { does: "sendReferral", person: dentist, input: { referralId, formKey: "", radiographsSendType: 3 } },
        ];
        const before = await all();
        let n = 1;
        for (; n < 60; n += step) {
          const ended = await run({ dieBefore: n, steps: send });
          if (ended.signal !== "SIGKILL") {
            expect(ended).toMatchObject({ code: 0, errors: "" });
            break;
          }
          const left = await all();
          // What is told to other processes comes after the commit.
          if (left.referrals.find(({ id }) => id === referralId)?.sent_at) break;
          expect(left).toEqual(before);
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
      },
      LONG,
    );

    test(
      "before the statements of finishing an upload: the bytes are there to begin anew, and it becomes one image",
      async () => {
        const referralId = await aDraft(portal, dentist);
        await portal.as(dentist, saveReferrer, { referralId });
        const picture = await drawRadiograph({ type: 0, format: "jpg", seed: 21 });
        const { to } = await portal.as(dentist, beginRadiographUpload, {
          referralId,
          formKey: "crash-upload",
          radiographType: 0,
          fileName: "48.jpg",
          sizeBytes: picture.length,
        });
        const uploadId = to!.split("/").at(-1)!;
        await storeParts(portal, uploadId, Readable.from([picture]), 0);
        const finish: CrashStep[] = [{ does: "finishRadiographUpload", person: dentist, input: { uploadId } }];
        const images = () =>
          portal.db
            .selectFrom("referral_file")
            .innerJoin("stored_file", "stored_file.id", "referral_file.stored_file_id")
            .select(["file_name", "storage_key"])
            .where("referral_id", "=", referralId)
            .execute();
        let n = 1;
        for (; n < 60; n += step) {
          const ended = await run({ dieBefore: n, steps: finish });
          if (ended.signal !== "SIGKILL") {
            expect(ended).toMatchObject({ code: 0, errors: "" });
            break;
          }
        }
        expect(n).toBeGreaterThan(10);
        expect(await images()).toEqual([{ file_name: "48.jpg", storage_key: uploadId }]);
        expect(await portal.files.size(uploadId)).toBe(picture.length);
        expect(
          await portal.db.selectFrom("stored_file").select("id").where("file_name", "=", "48.jpg").execute(),
        ).toHaveLength(1);
      },
      LONG,
    );
  });

  describe("during a purge", () => {
    const purge: CrashStep[] = [{ does: "purgeFiles" }];

    /** A file that was deleted and whose days have run out. */
    async function due(): Promise<{ id: number; key: string }> {
      const key = await portal.files.put(Readable.from([Buffer.from("deleted long ago")]));
      const file = {
        storage_key: key,
        file_name: "purged.jpg",
        mime: "image/jpeg",
        size_bytes: 16,
        sha256: key,
        scan_state: "notScanned",
        dicom_cpr_hash: null,
        created_at: "2026-10-01 09:00:00.000",
        purge_after: "2026-10-31 09:00:00.000",
      };
      const { insertId } = await portal.db.insertInto("stored_file").values(file).executeTakeFirstOrThrow();
      return { id: Number(insertId), key };
    }
    const hasRow = async (id: number) =>
      (await portal.db.selectFrom("stored_file").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
    const hasBytes = (key: string) =>
      portal.files.size(key).then(
        () => true,
        () => false,
      );

    test(
      "before its statements: no bytes are left without a row, and the next purge finishes",
      async () => {
        await due();
        const last = await lastStatement(purge);
        expect(last).toBeGreaterThan(10);
        const halves = new Set<string>();
        for (const n of deaths(dialect, last)) {
          const { id, key } = await due();
          expect(await run({ dieBefore: n, steps: purge })).toMatchObject({ signal: "SIGKILL" });
          const [row, bytes] = [await hasRow(id), await hasBytes(key)];
          expect(bytes && !row, `killed before statement ${n}`).toBe(false);
          halves.add(`${row ? "row" : "no row"}, ${bytes ? "bytes" : "no bytes"}`);
          await portal.as(worker.actor, purgeFiles, {});
          expect([await hasRow(id), await hasBytes(key)]).toEqual([false, false]);
        }
        expect([...halves].toSorted()).toEqual(["no row, no bytes", "row, bytes", "row, no bytes"]);
      },
      LONG,
    );
  });
});
