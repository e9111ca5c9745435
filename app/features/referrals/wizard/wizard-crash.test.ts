// @module-tag matrix
import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { storeParts } from "~/files/staging/upload-parts.server";
import { beginRadiographUpload } from "~/features/referrals/images/upload-radiograph.server";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft, patientForm } from "../../../../tests/factories/referrals";
import type { CrashStep } from "../../../../tests/support/crash/child";
import { deaths, killedPortal, LONG } from "../../../../tests/support/portals/killed-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { saveReferrer } from "./save-referrer.server";

forEachDatabase("kill -9", (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  const { step, run, lastStatement } = killedPortal(dialect, (opened) => {
    portal = opened;
  });
  beforeAll(async () => {
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });

  describe("during a submit", () => {
    async function all() {
      const { db } = portal;
      return {
        patients: await db.selectFrom("patient").select("id").orderBy("id").execute(),
        referrals: await db
          .selectFrom("referral")
          .select(["id", "status", "sentAt", "availableStep", "version", "clinicId"])
          .orderBy("id")
          .execute(),
        tokens: await db
          .selectFrom("referralNameToken")
          .select(["referralId", "token"])
          .orderBy("referralId")
          .orderBy("token")
          .execute(),
        log: await db.selectFrom("visitLog").select(["referralId", "event"]).orderBy("id").execute(),
        keys: await db.selectFrom("idempotency").select(["formKey", "answer"]).orderBy("formKey").execute(),
        audit: await db
          .selectFrom("auditReferral")
          .select(["referralId", "auditEventId"])
          .orderBy("auditEventId")
          .execute(),
      };
    }

    test(
      "killed while saving the patient: all or nothing, and one draft",
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
          const wasSaved = left.referrals.length > before.referrals.length;
          if (wasSaved) expect(n).toBe(last);
          else expect(left).toEqual(before);
          expect(await run({ dieBefore: null, steps: save(form) })).toMatchObject({ code: 0 });
          const after = await all();
          expect(after.referrals).toHaveLength(before.referrals.length + 1);
          expect(
            after.tokens
              .filter(({ referralId }) => referralId === after.referrals.at(-1)!.id)
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
          if (left.referrals.find(({ id }) => id === referralId)?.sentAt) break;
          expect(left).toEqual(before);
        }
        expect(n).toBeGreaterThan(5);
        const sent = (await all()).referrals.find(({ id }) => id === referralId);
        expect(sent).toMatchObject({ sentAt: expect.any(String) as string });
        expect(sent!.status).toBeGreaterThanOrEqual(0);
        const lines = async () => (await all()).log.filter((line) => line.referralId === referralId);
        expect(await lines()).toEqual([{ referralId, event: "Henvisningen er modtaget" }]);
        expect(await run({ dieBefore: null, steps: send })).toMatchObject({ code: 0 });
        expect(await lines()).toHaveLength(1);
      },
      LONG,
    );

    test(
      "killed while finishing an upload: the bytes are there, one image",
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
            .selectFrom("referralFile")
            .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
            .select(["fileName", "storageKey"])
            .where("referralId", "=", referralId)
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
        expect(await images()).toEqual([{ fileName: "48.jpg", storageKey: uploadId }]);
        expect(await portal.files.size(uploadId)).toBe(picture.length);
        expect(
          await portal.db.selectFrom("storedFile").select("id").where("fileName", "=", "48.jpg").execute(),
        ).toHaveLength(1);
      },
      LONG,
    );
  });
});
