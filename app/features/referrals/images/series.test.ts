import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { downloadReferralPdf } from "../details/referral-pdf.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { storeParts } from "~/files/staging/upload-parts.server";
import { readPdfText } from "~/files/pdf/pdf-text.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft } from "../../../../tests/factories/referrals";
import { makeZip } from "../../../../tests/support/make-zip";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { removeRadiograph } from "./change-radiographs.server";
import { askDeleteRadiograph, deleteRadiograph, restoreFile } from "./operations.server";
import { finishRadiographUpload } from "./finish-upload.server";
import { readImage } from "./read-images.server";
import { beginRadiographUpload, cancelUpload } from "./upload-radiograph.server";

forEachDatabase("the slices of a CBCT", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let admin: Person;
  let zip: Buffer;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    admin = await aPerson(portal, { role: "Admin" });
    const slice = (series: string, number: number) =>
      drawRadiograph({ type: 4, format: "dcm", seed: number, sliceOf: { series, number } });
    zip = makeZip([
      { name: "panorama.jpg", bytes: await drawRadiograph({ type: 0, format: "jpg", seed: 9 }) },
      { name: "a/z", bytes: await slice("2.25.1", 1) },
      { name: "a/y", bytes: await slice("2.25.1", 2) },
      { name: "a/x", bytes: await slice("2.25.1", 3) },
      { name: "b/1", bytes: await slice("2.25.2", 1) },
      { name: "c/enkelt.dcm", bytes: await drawRadiograph({ type: 4, format: "dcm", seed: 8 }) },
    ]);
  });
  afterAll(() => portal.close());

  let count = 0;
  async function upload(of: { referralId: number } | { ofForm: string }) {
    const { to } = await portal.as(dentist, beginRadiographUpload, {
      ...of,
      formKey: `series-upload-${++count}`,
      radiographType: 0,
      fileName: "cbct.zip",
      sizeBytes: zip.length,
    });
    const uploadId = to!.split("/").at(-1)!;
    await storeParts(portal, uploadId, Readable.from([zip]), 0);
    await portal.as(dentist, finishRadiographUpload, { uploadId });
  }
  async function stepThree() {
    const referralId = await aDraft(portal, dentist);
    await portal.as(dentist, saveReferrer, { referralId });
    await upload({ referralId });
    return referralId;
  }
  async function wizard(of: { referralId?: number; formKey?: string }, step: 1 | 3 = 3) {
    const read = await portal.as(dentist, readWizard, { ...of, step });
    if ("redirectTo" in read) throw new Error("not a draft");
    return read;
  }
  const ofSeries = <T extends { slices: number }>(images: readonly T[]) => images.find(({ slices }) => slices > 1)!;

  test("are one line of the wizard, removed as one; other pictures stay", async () => {
    const referralId = await stepThree();
    const { images } = await wizard({ referralId });
    expect(images.map(({ fileName, slices }) => [fileName, slices])).toEqual([
      ["y.dcm", 3],
      ["1.dcm", 1],
      ["enkelt.dcm", 1],
      ["panorama.jpg", 1],
    ]);
    expect(ofSeries(images).uploadIds).toHaveLength(3);
    const { flash } = await portal.as(dentist, removeRadiograph, {
      referralId,
      fileId: ofSeries(images).id,
      wholeSeries: "on",
    });
    expect(flash?.text).toBe("CBCT-serie · 3 snit er fjernet.");
    expect((await wizard({ referralId })).images.map(({ slices }) => slices)).toEqual([1, 1, 1]);
  });

  test("a single slice is removed when its series is not named, as by the API", async () => {
    const referralId = await stepThree();
    const { id: fileId } = ofSeries((await wizard({ referralId })).images);
    await portal.as(dentist, removeRadiograph, { referralId, fileId });
    expect(ofSeries((await wizard({ referralId })).images)).toMatchObject({ slices: 2, fileName: "x.dcm" });
  });

  test("are one line before their form is saved, and are taken away as one", async () => {
    const formKey = `series-form-${dialect}`;
    await upload({ ofForm: formKey });
    const series = ofSeries((await wizard({ formKey }, 1)).stagedImages);
    expect(series).toMatchObject({ fileName: "y.dcm", slices: 3 });
    await portal.as(dentist, cancelUpload, { uploadId: series.uploadId, wholeSeries: "on" });
    expect((await wizard({ formKey }, 1)).stagedImages.map(({ slices }) => slices)).toEqual([1, 1, 1]);
  });

  test("are one line of the referral's PDF", async () => {
    const referralId = await stepThree();
    await portal.as(dentist, sendReferral, { referralId, formKey: "", radiographsSendType: 0 });
    const file = path.join(portal.config.dataDir, "henvisning.pdf");
    await writeFile(file, await (await portal.as(admin, downloadReferralPdf, { referralId })).open());
    const read = await readPdfText(file);
    const text = "text" in read ? read.text : "";
    expect(text).toContain("CBCT-serie · 3 snit");
    expect(text).toContain("panorama.jpg");
    expect(text).not.toContain("x.dcm");
  });

  test("stay images in a sent referral, shown by the middle one, in order", async () => {
    const referralId = await stepThree();
    await portal.as(dentist, sendReferral, { referralId, formKey: "", radiographsSendType: 0 });
    const { images } = await portal.as(admin, readReferral, { referralId });
    expect(images.map(({ name }) => name)).toEqual(["z.dcm", "y.dcm", "x.dcm", "1.dcm", "enkelt.dcm", "panorama.jpg"]);
    const open = await portal.as(admin, readOpenReferral, { referralId });
    expect(open.images).toMatchObject({ count: 6, dicomCount: 5, page: 1, pageCount: 1 });
    expect(open.images.shown.map(({ name, slices }) => [name, slices])).toEqual([
      ["y.dcm", 3],
      ["1.dcm", 1],
      ["enkelt.dcm", 1],
      ["panorama.jpg", 1],
    ]);
    const [first, middle, last, next] = images.map(({ id }) => id);
    expect(await portal.as(admin, readImage, { referralId, fileId: last })).toMatchObject({
      number: 1,
      count: 4,
      previousId: null,
      nextId: next,
      sliceIds: [first, middle, last],
    });
    expect((await portal.as(admin, readImage, { referralId, fileId: next })).previousId).toBe(middle);
    const question = await portal.as(admin, askDeleteRadiograph, { referralId, fileId: middle });
    expect(question.slices).toBe(3);
    await portal.as(admin, deleteRadiograph, { referralId, fileId: middle });
    const after = await portal.as(admin, readReferral, { referralId });
    expect(after.images).toHaveLength(3);
    expect(after.deletedFiles.map(({ name }) => name)).toEqual(["CBCT-serie · 3 snit"]);
    const { flash } = await portal.as(admin, restoreFile, { referralId, fileId: middle });
    expect(flash?.text).toBe("CBCT-serie · 3 snit er hentet tilbage.");
    expect((await portal.as(admin, readReferral, { referralId })).images).toHaveLength(6);
  });
});
