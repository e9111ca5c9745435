import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { purgeFiles } from "~/features/maintenance/operations.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { aPerson } from "../../../../tests/factories/people";
import { patientForm } from "../../../../tests/factories/referrals";
import { awaitedSending } from "../../../../tests/support/portals/awaited-sending";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { readAwaiting } from "./operations.server";
import { listDrafts } from "~/features/drafts/draft-list.server";

const URGENT = { referenceType: "1" };

forEachDatabase("a referral that is sent while its files are on their way", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let pictures: Buffer[];
  const { begin, arrive, finish, come, stepThree, send, job, stateOf, logOf } = awaitedSending(dialect, (given) => {
    ({ portal, dentist, pictures } = given);
  });

  test("is sent once when the last part arrives, and shows that it waits", async () => {
    const referralId = await stepThree();
    const uploads = [await begin({ referralId }, pictures[0]!), await begin({ referralId }, pictures[1]!)];
    await expect(send(referralId, {})).rejects.toMatchObject({ name: "uploadUnfinished" });
    expect(await send(referralId)).toMatchObject({ to: `/management/visit-sent?nr=${referralId}` });
    await send(referralId);
    expect(await portal.as(dentist, readAwaiting, {})).toMatchObject({ drafts: [{ id: referralId, files: 2 }] });
    const { rows } = await portal.as(dentist, listDrafts, { rowsOnly: false });
    expect(rows.find(({ id }) => id === referralId)).toMatchObject({ awaitedFiles: 2 });
    expect((await portal.as(dentist, listReferrals, {})).awaiting).toMatchObject({
      drafts: [{ id: referralId, files: 2 }],
    });
    expect(await portal.as(dentist, readWizard, { referralId, step: 3 })).toMatchObject({
      awaiting: { files: 2, dueAt: "2026-12-02T09:00:00.000Z" },
    });
    await come(uploads[0]!, pictures[0]!);
    await job();
    expect(await stateOf(referralId)).toMatchObject({ isSent: false, images: 1 });
    await come(uploads[1]!, pictures[1]!);
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 2 });
    await finish(uploads[1]!);
    await job();
    expect(await logOf(referralId)).toEqual(["Henvisningen er modtaget"]);
    expect(await portal.as(dentist, readAwaiting, {})).toMatchObject({ hasMore: false, drafts: [] });
  });

  test("an urgent draft that nobody has sent is on its author's front page", async () => {
    const draft = await stepThree(URGENT);
    const urgent = async (person: Person) => (await portal.as(person, listReferrals, {})).awaiting!.urgent;
    expect(await urgent(dentist)).toMatchObject([{ id: draft, step: 3 }]);
    expect(await urgent(await aPerson(portal, { role: "Admin" }))).toEqual([]);
    await send(draft, { radiographsSendType: 1 });
    expect(await urgent(dentist)).toEqual([]);
  });

  test("two files completed simultaneously send it once", async () => {
    for (let round = 0; round < 4; round += 1) {
      const referralId = await stepThree();
      const uploads = await Promise.all(pictures.map((bytes) => begin({ referralId }, bytes)));
      await send(referralId);
      await Promise.all(uploads.map((id, index) => arrive(id, pictures[index]!)));
      await Promise.all(uploads.map(finish));
      expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 3 });
      expect(await logOf(referralId)).toEqual(["Henvisningen er modtaget"]);
    }
  });

  test("pressing 'Send' while the last file comes sends it, in any order", async () => {
    for (let round = 0; round < 4; round += 1) {
      const referralId = await stepThree();
      const uploadId = await begin({ referralId }, pictures[0]!);
      await arrive(uploadId, pictures[0]!);
      await Promise.all([finish(uploadId), send(referralId)]);
      expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 1 });
      expect(await logOf(referralId)).toEqual(["Henvisningen er modtaget"]);
    }
  });

  test("the job finishes and sends what was completed after its process died", async () => {
    const referralId = await stepThree();
    const uploadId = await begin({ referralId }, pictures[0]!);
    await send(referralId);
    await arrive(uploadId, pictures[0]!);
    await job();
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 1 });
    const file = await portal.db
      .selectFrom("referralFile")
      .select(["uploaderId", "radiographType"])
      .where("referralId", "=", referralId)
      .executeTakeFirstOrThrow();
    expect(file).toEqual({ uploaderId: dentist.id, radiographType: 2 });
  });

  test("an urgent one is sent at once with a mark; its files join it", async () => {
    const referralId = await stepThree(URGENT);
    const uploads = [await begin({ referralId }, pictures[0]!), await begin({ referralId }, pictures[1]!)];
    await send(referralId);
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 2, images: 0 });
    const staff = await aPerson(portal, { role: "Admin" });
    const list = await portal.as(staff, listReferrals, {});
    expect(list.rows?.find(({ id }) => id === referralId)).toMatchObject({ awaitedFiles: 2 });
    expect(await portal.as(staff, readReferral, { referralId })).toMatchObject({ awaitedFiles: 2 });
    await come(uploads[0]!, pictures[0]!);
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 1, images: 1 });
    await arrive(uploads[1]!, Buffer.alloc(pictures[1]!.length, "no picture"));
    await finish(uploads[1]!);
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 1 });
    expect((await logOf(referralId)).filter((event) => event?.includes("er ikke modtaget:"))).toHaveLength(1);
  });

  test("is sent without missing files after 24 hours; they may come for a week", async () => {
    const referralId = await stepThree();
    const uploads = [await begin({ referralId }, pictures[0]!), await begin({ referralId }, pictures[1]!, "cbct.jpg")];
    await send(referralId);
    portal.clock.advance({ hours: 23, minutes: 59 });
    await job();
    expect(await stateOf(referralId)).toMatchObject({ isSent: false });
    portal.clock.advance({ hours: 2 });
    await portal.as({ kind: "system", job: "worker" }, purgeFiles, {});
    await job();
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 2, images: 0 });
    await come(uploads[0]!, pictures[0]!);
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 1, images: 1 });
    portal.clock.advance({ days: 7 });
    await job();
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 1 });
    expect(await logOf(referralId)).toContain("cbct.jpg er ikke modtaget: Den kom ikke.");
    expect(await portal.as(dentist, readReferral, { referralId })).toMatchObject({
      notReceived: [{ fileName: "cbct.jpg", refusal: "Den kom ikke." }],
    });
  });

  test("when all files are refused it is sent a day later, and its log gives the reasons", async () => {
    const referralId = await stepThree();
    const bytes = Buffer.alloc(2000, "no picture");
    const uploadId = await begin({ referralId }, bytes, "falsk.jpg");
    await send(referralId);
    expect((await come(uploadId, bytes)).data).toHaveProperty("refused");
    expect(await stateOf(referralId)).toMatchObject({ isSent: false });
    portal.clock.advance({ hours: 25 });
    await job();
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 0 });
    expect((await logOf(referralId))[1]).toMatch(/^falsk.jpg er ikke modtaget: /);
    // The notice is shown to both sides for a month, or until the file arrives.
    const notReceived = async (person: Person) => (await portal.as(person, readReferral, { referralId })).notReceived;
    const staff = await aPerson(portal, { role: "Admin" });
    const inList = async (person: Person) => {
      const list = await portal.as(person, listReferrals, {});
      return list.rows?.find(({ id }) => id === referralId)?.notReceived;
    };
    for (const person of [dentist, staff]) {
      expect(await notReceived(person)).toMatchObject([{ fileName: "falsk.jpg", isPartlyReceived: false }]);
      expect(await inList(person)).toBe(1);
    }
    await portal.as({ kind: "system", job: "worker" }, purgeFiles, {});
    expect(await notReceived(dentist)).toHaveLength(1);
    const again = await begin({ referralId }, pictures[0]!, "Falsk.jpg");
    await come(again, pictures[0]!);
    expect(await notReceived(dentist)).toEqual([]);
    expect(await inList(dentist)).toBeUndefined();
    portal.clock.advance({ days: 32 });
    await portal.as({ kind: "system", job: "worker" }, purgeFiles, {});
    const left = await portal.db.selectFrom("partialUpload").select("id").where("id", "=", uploadId).execute();
    expect(left).toEqual([]);
  });

  test("files begun before the draft are the draft's once the form is saved", async () => {
    const form = patientForm({ formKey: `before-${dialect}-step-1` });
    const ofForm = form["formKey"] as string;
    const uploads = [
      await begin({ ofForm }, pictures[0]!, "hel.jpg"),
      await begin({ ofForm }, pictures[1]!, "halv.jpg"),
    ];
    await come(uploads[0]!, pictures[0]!);
    const page = await portal.as(dentist, readWizard, { formKey: ofForm, step: 1 });
    expect(page).toMatchObject({
      stagedImages: [{ fileName: "hel.jpg", type: 2, uploadIds: [uploads[0]] }],
      unfinished: [{ id: uploads[1], fileName: "halv.jpg" }],
    });
    const { to } = await portal.as(dentist, savePatient, { ...form, withReferrer: "on" });
    const referralId = Number(/kladde=(\d+)/.exec(to!)![1]);
    expect(await portal.as(dentist, readWizard, { referralId, step: 3 })).toMatchObject({
      images: [{ fileName: "hel.jpg", type: 2, uploadIds: [uploads[0]] }],
      unfinished: [{ id: uploads[1], fileName: "halv.jpg" }],
    });
    const late = await begin({ ofForm }, pictures[2]!, "sen.jpg");
    await send(referralId);
    await come(uploads[1]!, pictures[1]!);
    await come(late, pictures[2]!);
    expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 3 });
  });

  test("an image that comes whole while its form is being saved belongs to the draft", async () => {
    for (let round = 0; round < 4; round += 1) {
      const form = patientForm({ formKey: `while-${dialect}-${round}-saved` });
      const uploadId = await begin({ ofForm: form["formKey"] as string }, pictures[0]!);
      await arrive(uploadId, pictures[0]!);
      const [{ to }] = await Promise.all([portal.as(dentist, savePatient, form), finish(uploadId)]);
      const referralId = Number(/kladde=(\d+)/.exec(to!)![1]);
      expect(await stateOf(referralId)).toMatchObject({ images: 1 });
    }
  });
});
