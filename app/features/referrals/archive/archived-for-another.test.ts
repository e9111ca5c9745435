import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { resendFailure } from "~/features/logs/handle-failure.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { removeRadiograph } from "~/features/referrals/images/change-radiographs.server";
import { restoreFile } from "~/features/referrals/images/operations.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aRadiograph, uploadRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";

forEachDatabase("what the archive may hold for a patient", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let handed: { patientId: string; bytes: Buffer; sizeBytes: number }[];

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    portal.imageArchive = {
      label: "",
      mode: "live",
      deduplicates: true,
      async send({ instance }) {
        const bytes = Buffer.concat((await (await instance.open()).toArray()) as Buffer[]);
        handed.push({ patientId: instance.patientId, bytes, sizeBytes: instance.sizeBytes });
        return { outcome: "sent", detail: "" };
      },
    };
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    handed = [];
  });
  afterAll(() => portal.close());

  const work = async () => {
    const lane = { owner: "a", channel: "archive" as const };
    while ((await portal.as({ kind: "system", job: "test" }, sendMessage, lane)).data?.sent === true);
  };
  const open = async (referralId: number) => portal.as(admin, readReferral, { referralId });
  const state = async (id: number) => (await open(id)).exportStatus;
  const last = async (id: number) =>
    portal.db
      .selectFrom("outbox")
      .selectAll()
      .where("referralId", "=", id)
      .where("channel", "=", "archive")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
  const release = async (id: number) => {
    await portal.as(admin, resendFailure, { messageId: (await last(id)).id, channel: "archive" });
    await work();
  };

  test("a file with another number leaves under the patient's once vouched for", async () => {
    const id = await aReferral(portal, dentist);
    await aRadiograph(portal, dentist, id, "fremmed.dcm", 4);
    await work();
    expect((await last(id)).reason).toBe("otherPatient");
    handed = [];
    await release(id);
    const { patient } = await open(id);
    expect(handed.map(({ patientId }) => patientId)).toEqual([patient.cpr]);
    expect(handed[0]!.bytes.length).toBe(handed[0]!.sizeBytes);
    const text = handed[0]!.bytes.toString("latin1");
    expect([text.includes(patient.cpr!), text.includes("620170-4321")]).toEqual([true, false]);
    expect(await state(id)).toBe(3);
  });

  test("a DICOM file of two patients goes for the first, until deleted there", async () => {
    const owner = { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" };
    const bytes = await drawRadiograph({ type: 4, format: "dcm", seed: 4711, patient: owner });
    const [first, second] = [await aReferral(portal, dentist), await aReferral(portal, dentist)];
    for (const id of [first, second]) {
      await uploadRadiograph(portal, dentist, id, "samme.dcm", { bytes, type: 4 });
      await work();
      await release(id);
    }
    expect([await state(first), await state(second)]).toEqual([3, 2]);
    expect(await last(second)).toMatchObject({
      outcome: "failed",
      reason: "archivedForAnother",
      detail: "Filen findes i billedarkivet på en anden patient",
    });
    const fileId = (await open(first)).images[0]!.id;
    await portal.as(admin, removeRadiograph, { referralId: first, fileId });
    await release(second);
    expect(await state(second)).toBe(3);
  });

  test("no image leaves without the patient's number", async () => {
    const id = await aReferral(portal, dentist);
    await portal.db.updateTable("referral").set({ cprEncrypted: null }).where("id", "=", id).execute();
    await aRadiograph(portal, dentist, id, "tand.jpg");
    handed = [];
    await work();
    expect([handed, (await last(id)).reason, await state(id)]).toEqual([[], "noCpr", 2]);
  });

  test("deleted images leave no data, and restored ones are archived again", async () => {
    const [one, all] = [await aReferral(portal, dentist), await aReferral(portal, dentist)];
    for (const id of [one, all]) await aRadiograph(portal, dentist, id, "tand.jpg");
    await work();
    expect([await state(one), await state(all)]).toEqual([3, 3]);
    const fileIds = await Promise.all([one, all].map(async (id) => (await open(id)).images[0]!.id));
    await portal.as(admin, removeRadiograph, { referralId: one, fileId: fileIds[0]! });
    const { statusVersion } = await open(all);
    const close = { referralId: all, status: 7, seenVersion: statusVersion, isDeleteAttachments: "true" };
    await portal.as(admin, setStatus, close);
    expect([await state(one), await state(all)]).toEqual([0, 0]);
    await portal.as(admin, restoreFile, { referralId: one, fileId: fileIds[0]! });
    await portal.as(admin, restoreFile, { referralId: all, fileId: fileIds[1]! });
    expect([await state(one), await state(all)]).toEqual([3, 3]);
  });
});
