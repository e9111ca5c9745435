import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { MAX_RADIOGRAPHS } from "~/files/file-rules";
import { REFERRAL_FULL_TEXT } from "~/files/file-texts";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { addRadiographs } from "./add-radiographs.server";
import { setRadiographType } from "./change-radiographs.server";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";

forEachDatabase("images of a draft", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());

  const cpr = { cpr6: "610170", cpr4: "4321" };

  async function hold(owner: Person, formKey: string, fileName: string, bytes: Buffer): Promise<void> {
    const file = path.join(portal.config.dataDir, `arriving-${formKey}-${fileName}`);
    await writeFile(file, bytes);
    const result = await storeUpload(portal, file, fileName, "radiograph", { requestedBy: "test" });
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(owner, stageUploads, {
      formKey,
      files: [{ ...result.accepted, field: "radiographs", kind: "radiograph" }],
    });
  }

  async function stepThree(): Promise<number> {
    const referralId = await aDraft(portal, dentist, cpr);
    await portal.as(dentist, saveReferrer, { referralId });
    return referralId;
  }

  const stepThreeOf = async (referralId: number) => {
    const wizard = await portal.as(dentist, readWizard, { referralId, step: 3 });
    if ("redirectTo" in wizard) throw new Error("not a draft");
    return wizard;
  };
  const imagesOf = async (referralId: number) => (await stepThreeOf(referralId)).images;

  test("another patient's DICOM file is marked, the referral's own is not", async () => {
    const referralId = await stepThree();
    const draw = (patientCpr: string) =>
      drawRadiograph({
        type: 4,
        format: "dcm",
        seed: 1,
        patient: { cpr: patientCpr, firstName: "Åse", lastName: "Øst" },
      });
    await hold(dentist, "own", "egen.dcm", await draw("610170-4321"));
    await hold(dentist, "own", "anden.dcm", await draw("620170-4321"));
    await portal.as(dentist, addRadiographs, { referralId, formKey: "own", radiographType: 4 });
    expect((await stepThreeOf(referralId)).whole.ofAnother).toEqual({ count: 1, names: ["anden.dcm"] });
  });

  test("nobody can claim another person's staged uploads, not even with the form's key", async () => {
    const other = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await hold(other, "foreign", "48.jpg", await drawRadiograph({ type: 0, format: "jpg", seed: 2 }));
    const referralId = await stepThree();
    await expect(
      portal.as(dentist, addRadiographs, { referralId, formKey: "foreign", radiographType: 0 }),
    ).rejects.toMatchObject({ name: "invalid" });
    expect(await imagesOf(referralId)).toEqual([]);
  });

  test("a referral that has the most images it may have takes no more, and says so", async () => {
    const referralId = await stepThree();
    await hold(dentist, "first", "48.jpg", await drawRadiograph({ type: 0, format: "jpg", seed: 11 }));
    await portal.as(dentist, addRadiographs, { referralId, formKey: "first", radiographType: 0 });
    const file = await portal.db
      .selectFrom("referralFile")
      .select(["referralId", "kind", "radiographType", "storedFileId", "uploadedAt"])
      .where("referralId", "=", referralId)
      .executeTakeFirstOrThrow();
    const more = (count: number) => portal.db.insertInto("referralFile").values(Array(count).fill(file)).execute();
    await more(MAX_RADIOGRAPHS - 2);
    const add = async (seed: number) => {
      await hold(dentist, `more-${seed}`, `${seed}.jpg`, await drawRadiograph({ type: 0, format: "jpg", seed }));
      return portal.as(dentist, addRadiographs, { referralId, formKey: `more-${seed}`, radiographType: 0 });
    };
    await add(12);
    await expect(add(13)).rejects.toMatchObject({
      name: "fileRefused",
      fields: { radiographs: [`13.jpg: ${REFERRAL_FULL_TEXT}`] },
    });
  });

  test("a DICOM file gets its type; a picture sent as DICOM has to be confirmed", async () => {
    const referralId = await stepThree();
    await hold(dentist, "mixed", "48.jpg", await drawRadiograph({ type: 0, format: "jpg", seed: 3 }));
    await hold(dentist, "mixed", "scan.dcm", await drawRadiograph({ type: 4, format: "dcm", seed: 3 }));
    await portal.as(dentist, addRadiographs, { referralId, formKey: "mixed", radiographType: 2 });
    await hold(dentist, "asked", "38.jpg", await drawRadiograph({ type: 0, format: "jpg", seed: 6 }));
    const files = { staged: [], refused: [] };
    const send = () =>
      portal.as(
        dentist,
        sendReferral,
        { referralId, formKey: "asked", radiographType: 4, radiographsSendType: 0 },
        { files },
      );
    await expect(send()).rejects.toMatchObject({
      name: "fileRefused",
      fields: {
        radiographs: [
          "38.jpg er modtaget, men er ikke en DICOM-fil og står som Intraoralt. Ret billedtypen, hvis det er noget andet.",
        ],
      },
    });
    expect((await imagesOf(referralId)).map(({ fileName, type }) => [fileName, type])).toEqual([
      ["48.jpg", 2],
      ["scan.dcm", 4],
      ["38.jpg", 0],
    ]);
    expect((await send()).to).toBe(`/management/visit-sent?nr=${referralId}`);
  });

  test("refuses by name a picture that the API sent as DICOM", async () => {
    const referralId = await stepThree();
    await hold(dentist, "api", "48.jpg", await drawRadiograph({ type: 0, format: "jpg", seed: 7 }));
    const [{ id }] = (await portal.db
      .selectFrom("stagedUpload")
      .select("id")
      .where("formKey", "=", "api")
      .execute()) as [{ id: number }];
    await expect(
      portal.as(dentist, addRadiographs, { referralId, formKey: "api", fileTypes: { [id]: 4 } }),
    ).rejects.toMatchObject({
      text: "1 fil er ikke modtaget.",
      fields: { radiographs: ["48.jpg: Denne filtype er ikke godkendt i dette felt. Vælg en anden billedtype."] },
    });
    expect(await imagesOf(referralId)).toEqual([]);
  });

  test("types chosen in the form are saved with the sending, shown ones are not", async () => {
    const referralId = await stepThree();
    for (const [seed, name] of ["48.jpg", "38.jpg"].entries())
      await hold(dentist, "listed", name, await drawRadiograph({ type: 0, format: "jpg", seed: 20 + seed }));
    await portal.as(dentist, addRadiographs, { referralId, formKey: "listed", radiographType: 0 });
    const [first, second] = (await imagesOf(referralId)).map(({ id }) => id);
    await portal.as(dentist, setRadiographType, { referralId, fileId: second!, radiographType: 2 });
    const send = (more: object) =>
      portal.as(dentist, sendReferral, { referralId, formKey: "listed", radiographsSendType: 0, ...more });
    const images = [`${first}-0`, `${second}-0`];
    await expect(send({ images, imageTypes: [3] })).rejects.toMatchObject({ name: "formUnreadable" });
    await send({ images, imageTypes: [3, 0] });
    const rows = await portal.db
      .selectFrom("referralFile")
      .select("radiographType")
      .where("referralId", "=", referralId)
      .orderBy("id")
      .execute();
    expect(rows.map((row) => row.radiographType)).toEqual([3, 2]);
  });

  test("a type that was chosen stays when the sending is refused", async () => {
    const referralId = await stepThree();
    await hold(dentist, "kept", "48.jpg", await drawRadiograph({ type: 0, format: "jpg", seed: 22 }));
    await portal.as(dentist, addRadiographs, { referralId, formKey: "kept", radiographType: 0 });
    const [id] = (await imagesOf(referralId)).map((image) => image.id);
    await portal.db
      .updateTable("referral")
      .set({ paymentType: 2, approvalType: 0 })
      .where("id", "=", referralId)
      .execute();
    const sending = { referralId, formKey: "kept", radiographsSendType: 0, wasAsked: "nothing" };
    await expect(
      portal.as(dentist, sendReferral, { ...sending, images: [`${id}-0`], imageTypes: [1] }),
    ).rejects.toMatchObject({ name: "invalid" });
    expect((await imagesOf(referralId)).map(({ type }) => type)).toEqual([1]);
  });

  test("names a picture that is attached already, and does not attach it again", async () => {
    const referralId = await stepThree();
    const picture = await drawRadiograph({ type: 0, format: "jpg", seed: 4 });
    await hold(dentist, "twice", "48.jpg", picture);
    await hold(dentist, "twice", "kopi.jpg", picture);
    await expect(portal.as(dentist, addRadiographs, { referralId, formKey: "twice" })).rejects.toMatchObject({
      fields: { radiographs: ["kopi.jpg: Filen er allerede vedhæftet."] },
    });
    await hold(dentist, "later", "48.jpg", picture);
    await expect(portal.as(dentist, addRadiographs, { referralId, formKey: "later" })).rejects.toMatchObject({
      name: "fileRefused",
    });
    expect(await imagesOf(referralId)).toHaveLength(1);
  });

  test("pressing Send twice with the same files attaches them once and sends once", async () => {
    const referralId = await stepThree();
    const picture = await drawRadiograph({ type: 0, format: "jpg", seed: 5 });
    const files = { staged: [], refused: [] };
    for (const formKey of ["press", "press"]) await hold(dentist, formKey, "48.jpg", picture);
    const send = () =>
      portal.as(dentist, sendReferral, { referralId, formKey: "press", radiographsSendType: 0 }, { files });
    expect((await send()).to).toBe(`/management/visit-sent?nr=${referralId}`);
    await hold(dentist, "press", "48.jpg", picture);
    expect((await send()).to).toBe(`/management/visit-sent?nr=${referralId}`);
    const rows = await portal.db.selectFrom("referralFile").select("id").where("referralId", "=", referralId).execute();
    expect(rows).toHaveLength(1);
  });

  test("a form corrected and sent again attaches each journal once", async () => {
    const journal = Buffer.from("dato;tekst\n1.1.2026;Ømhed\n");
    for (const again of [1, 2]) {
      const file = path.join(portal.config.dataDir, `journal-${again}`);
      await writeFile(file, journal);
      const result = await storeUpload(portal, file, "journal.csv", "journal", { requestedBy: "test" });
      if ("refused" in result) throw new Error(result.refused);
      await portal.as(dentist, stageUploads, {
        formKey: "journals",
        files: [{ ...result.accepted, field: "journals", kind: "journal" }],
      });
    }
    const referralId = await aDraft(portal, dentist, { formKey: "journals" });
    const wizard = await portal.as(dentist, readWizard, { referralId, step: 1 });
    if ("redirectTo" in wizard) throw new Error("not a draft");
    expect(wizard.journals.map(({ fileName }) => fileName)).toEqual(["journal.csv"]);
    const waiting = await portal.db
      .selectFrom("storedFile")
      .select("id")
      .where("purgeAfter", "is not", null)
      .where("mime", "=", "text/csv")
      .execute();
    expect(waiting, "the second copy is left to the purge").toHaveLength(1);
  });
});
