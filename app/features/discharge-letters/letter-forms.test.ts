import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { dischargeLettersPortal } from "../../../tests/support/portals/discharge-letters-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { uploadLetter, uploadLetterImages } from "./upload-letter.server";

const KEY = "one-key-for-both-forms";

forEachDatabase("the forms of a discharge letter", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;
  const { staged, letter, letters } = dischargeLettersPortal(dialect, (begun) => {
    ({ portal, admin, referralId } = begun);
  });
  const stage = (field: "letterPdf" | "letterImages", name: string) => staged(field, name, {}, `${KEY} ${referralId}`);
  const form = () => ({ referralId, letterNumber: 1, formKey: `${KEY} ${referralId}` });
  const waiting = async () =>
    (await portal.db.selectFrom("stagedUpload").select("id").where("formKey", "=", form().formKey).execute()).length;

  test("an image that waits for its own form never becomes the letter", async () => {
    await stage("letterImages", "b1.jpg");
    await expect(portal.as(admin, uploadLetter, form())).rejects.toMatchObject({
      fields: { letterPdf: ["Vælg en PDF-fil."] },
    });
    await stage("letterPdf", "brev.pdf");
    await portal.as(admin, uploadLetter, form());
    expect(await letter()).toMatchObject({ letterFile: "brev.pdf", imageFiles: [] });
    await portal.as(admin, uploadLetterImages, form());
    expect(await letter()).toMatchObject({ letterFile: "brev.pdf", imageFiles: ["b1.jpg"] });
  });

  test("a letter that waits for its own form never stands among the images", async () => {
    await stage("letterPdf", "brev.pdf");
    await stage("letterImages", "b3.jpg");
    await portal.as(admin, uploadLetterImages, form());
    expect((await letter()).imageFiles).toEqual(["b3.jpg"]);
  });

  test("a second file sent by the same form takes the first one's place", async () => {
    for (const name of ["brev.pdf", "brev2.pdf"]) {
      await stage("letterPdf", name);
      await portal.as(admin, uploadLetter, form());
    }
    expect((await letter()).letterFile).toBe("brev2.pdf");
    for (const name of ["i1.jpg", "i2.jpg"]) {
      await stage("letterImages", name);
      await portal.as(admin, uploadLetterImages, form());
    }
    expect((await letter()).imageFiles).toEqual(["i2.jpg"]);
  });

  test("the same file sent twice is done once and leaves nothing waiting", async () => {
    await stage("letterPdf", "brev.pdf");
    const first = await portal.as(admin, uploadLetter, form());
    await stage("letterPdf", "brev.pdf");
    expect((await portal.as(admin, uploadLetter, form())).to).toBe(first.to);
    expect(await waiting()).toBe(0);
    const queued = await portal.db.selectFrom("outbox").select("id").where("kind", "=", "dischargeLetter").execute();
    expect([queued.length, (await letters()).length]).toEqual([1, 1]);
  });
});
