import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { archiveTexts, unpackLimits } from "~/files/archive/archive-rules";
import { storeParts } from "~/files/staging/upload-parts.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft, patientForm } from "../../../../tests/factories/referrals";
import { makeZip, type ZipPart } from "../../../../tests/support/make-zip";
import { loggedEvents } from "../../../../tests/support/logged-events";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { finishRadiographUpload } from "./finish-upload.server";
import { setAllRadiographTypes } from "./change-radiographs.server";
import { beginRadiographUpload, cancelUpload, setUploadType } from "./upload-radiograph.server";

forEachDatabase("a ZIP that arrives in parts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  const pictures: Buffer[] = [];
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    for (const seed of [1, 2, 3]) pictures.push(await drawRadiograph({ type: 0, format: "jpg", seed }));
  });
  afterAll(() => portal.close());

  let count = 0;
  async function begin(of: { referralId: number } | { ofForm: string }, bytes: Buffer, type = 0) {
    const { to } = await portal.as(dentist, beginRadiographUpload, {
      ...of,
      formKey: `zip-upload-${++count}`,
      radiographType: type,
      fileName: "status.zip",
      sizeBytes: bytes.length,
    });
    return to!.split("/").at(-1)!;
  }
  async function arrive(uploadId: string, bytes: Buffer) {
    await storeParts(portal, uploadId, Readable.from([bytes]), 0);
    return (await portal.as(dentist, finishRadiographUpload, { uploadId })).data;
  }
  async function stepThree() {
    const referralId = await aDraft(portal, dentist);
    await portal.as(dentist, saveReferrer, { referralId });
    return referralId;
  }
  async function wizard(of: { referralId?: number; formKey?: string }, step: 1 | 3 = 3) {
    const read = await portal.as(dentist, readWizard, { ...of, step });
    if ("redirectTo" in read) throw new Error("not a draft");
    return read;
  }
  const eventsOf = (referralId: number) => loggedEvents(portal.db, referralId);

  const aText: ZipPart = { name: "læs mig.txt", bytes: Buffer.from("text") };
  const zipOf = (...parts: ZipPart[]) =>
    makeZip([...pictures.map((bytes, nth) => ({ name: `mund/${nth + 1}.jpg`, bytes })), ...parts]);

  test("becomes its images with the chosen type; refused files are named", async () => {
    const referralId = await stepThree();
    const zip = zipOf(aText);
    const uploadId = await begin({ referralId }, zip, 2);
    expect(await arrive(uploadId, zip)).toEqual({ fileId: null });
    const { images, unfinished, archives } = await wizard({ referralId });
    expect(images.map(({ fileName, type }) => [fileName, type])).toEqual([
      ["1.jpg", 2],
      ["2.jpg", 2],
      ["3.jpg", 2],
    ]);
    expect(unfinished).toEqual([]);
    expect(archives).toEqual([
      {
        id: uploadId,
        fileName: "status.zip",
        refused: [{ fileName: "læs mig.txt", text: expect.stringContaining("Denne filtype er ikke godkendt") }],
      },
    ]);
    expect((await portal.as(dentist, finishRadiographUpload, { uploadId })).data).toEqual({ fileId: null });
    expect((await wizard({ referralId })).images).toHaveLength(3);
  });

  test("its pictures that are there already are not attached twice", async () => {
    const referralId = await stepThree();
    const first = await begin({ referralId }, zipOf());
    await arrive(first, zipOf());
    const again = await begin({ referralId }, zipOf(aText));
    expect(await arrive(again, zipOf(aText))).toEqual({ refused: archiveTexts.noneTaken });
    const { images, archives } = await wizard({ referralId });
    expect(images).toHaveLength(3);
    expect(
      archives
        .find(({ id }) => id === again)!
        .refused.map(({ fileName }) => fileName)
        .sort(),
    ).toEqual(["1.jpg", "2.jpg", "3.jpg", "læs mig.txt"]);
  });

  test("begun on step 1 its images wait for the form, and become the draft's", async () => {
    const ofForm = `zip-form-${dialect}`;
    const zip = zipOf(aText);
    const uploadId = await begin({ ofForm }, zip);
    await arrive(uploadId, zip);
    const { stagedImages, archives } = await wizard({ formKey: ofForm }, 1);
    expect(stagedImages.map(({ fileName, type }) => [fileName, type])).toEqual([
      ["1.jpg", 0],
      ["2.jpg", 0],
      ["3.jpg", 0],
    ]);
    expect(archives[0]!.refused).toHaveLength(1);
    await portal.as(dentist, setUploadType, { uploadId: stagedImages[0]!.uploadId, radiographType: 3 });
    await portal.as(dentist, cancelUpload, { uploadId: stagedImages[1]!.uploadId });
    const { to } = await portal.as(dentist, savePatient, { ...patientForm({ formKey: ofForm }), withReferrer: "on" });
    const referralId = Number(/kladde=(\d+)/.exec(to!)![1]);
    const { images, archives: after } = await wizard({ referralId });
    expect(images.map(({ fileName, type }) => [fileName, type])).toEqual([
      ["1.jpg", 3],
      ["3.jpg", 0],
    ]);
    expect(after.map(({ id }) => id)).toEqual([uploadId]);
  });

  test("its last part sends the waiting referral, and the log names refused files", async () => {
    const referralId = await stepThree();
    const zip = zipOf(aText);
    const uploadId = await begin({ referralId }, zip);
    await portal.as(dentist, sendReferral, { referralId, formKey: "", radiographsSendType: 0, waitForFiles: "on" });
    expect(await eventsOf(referralId)).toEqual([]);
    await arrive(uploadId, zip);
    expect(await eventsOf(referralId)).toEqual([
      "Henvisningen er modtaget",
      expect.stringMatching(/^1 fil i status\.zip er ikke modtaget: læs mig\.txt \(Denne filtype/),
    ]);
    const files = await portal.db
      .selectFrom("referralFile")
      .select("id")
      .where("referralId", "=", referralId)
      .execute();
    expect(files).toHaveLength(3);
  });

  test("one type is set for all pictures together, and DICOM keeps its own", async () => {
    const referralId = await stepThree();
    const dicom = await drawRadiograph({ type: 4, format: "dcm", seed: 7 });
    const zip = zipOf({ name: "snit", bytes: dicom });
    await arrive(await begin({ referralId }, zip), zip);
    const onItsWay = await begin({ referralId }, zip);
    const typesOf = async () => (await wizard({ referralId })).images.map(({ type }) => type);
    expect(await typesOf()).toEqual([0, 0, 0, 4]);
    await portal.as(dentist, setAllRadiographTypes, { referralId, radiographType: 2 });
    expect(await typesOf()).toEqual([2, 2, 2, 4]);
    expect((await wizard({ referralId })).unfinished).toMatchObject([{ id: onItsWay, type: 2 }]);
    await portal.as(dentist, setAllRadiographTypes, { referralId, radiographType: 4 });
    expect(await typesOf()).toEqual([2, 2, 2, 4]);
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await expect(portal.as(stranger, setAllRadiographTypes, { referralId, radiographType: 1 })).rejects.toMatchObject({
      name: "notInScope",
    });
    const ofForm = `type-for-all-${dialect}`;
    await arrive(await begin({ ofForm }, zip), zip);
    await portal.as(stranger, setAllRadiographTypes, { ofForm, radiographType: 1 });
    await portal.as(dentist, setAllRadiographTypes, { ofForm, radiographType: 3 });
    expect((await wizard({ formKey: ofForm }, 1)).stagedImages.map(({ type }) => type)).toEqual([3, 3, 3, 4]);
  });

  test("a ZIP is refused beyond a referral's and a person's daily limit", async () => {
    const storeFiles = async () => (await portal.db.selectFrom("storedFile").select("id").execute()).length;
    const zip = zipOf();
    const bring = async (referralId: number) => arrive(await begin({ referralId }, zip), zip);
    const [full, other] = [await stepThree(), await stepThree()];
    await bring(full);
    const sizeOf = (bytes: number) =>
      portal.db
        .updateTable("storedFile")
        .set({ sizeBytes: bytes })
        .where(({ eb, selectFrom }) =>
          eb(
            "id",
            "=",
            selectFrom("referralFile")
              .select(({ fn }) => fn.min("storedFileId").as("id"))
              .where("referralId", "=", full),
          ),
        )
        .execute();
    const sum = pictures.reduce((bytes, { length }) => bytes + length, 0);
    await sizeOf(unpackLimits.referral - sum);
    const before = await storeFiles();
    expect(await bring(full)).toEqual({ refused: archiveTexts.referralFull });
    expect(await storeFiles()).toBe(before);
    expect(await bring(other)).toEqual({ fileId: null });
    await sizeOf(unpackLimits.personADay);
    const third = await stepThree();
    expect(await bring(third)).toEqual({ refused: archiveTexts.dayFull });
    portal.clock.advance({ days: 1, minutes: 1 });
    expect(await bring(third)).toEqual({ fileId: null });
  });

  test("a ZIP that cannot be opened is refused with its reason and changes nothing", async () => {
    const referralId = await stepThree();
    const broken = zipOf().subarray(0, 2000);
    expect(await arrive(await begin({ referralId }, broken), broken)).toEqual({ refused: archiveTexts.damaged });
    expect((await wizard({ referralId })).images).toEqual([]);
  });
});
