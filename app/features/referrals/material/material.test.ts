import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { storeParts } from "~/files/staging/upload-parts.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { finishRadiographUpload } from "~/features/referrals/images/finish-upload.server";
import { cancelUpload } from "~/features/referrals/images/upload-radiograph.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { undoStatuses } from "~/features/referrals/status/set-statuses.server";
import { systemCaller } from "~/access/system-caller";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { anUpload, aStagedFile } from "../../../../tests/factories/uploads";
import { loggedEvents } from "../../../../tests/support/logged-events";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { addMaterialDocuments, declineMaterial, settleLateMaterials } from "./answer-material.server";
import { askForMaterial } from "./ask-for-material.server";
import { materialRequestHooks } from "~/features/referrals/material/material-mail.server";

forEachDatabase("what a referral lacks", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let other: Person;
  let pictures: Buffer[];
  beforeAll(async () => {
    ({ portal, admin, dentist } = await portalWithPeople(dialect));
    other = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    pictures = await Promise.all([41, 42, 43].map((seed) => drawRadiograph({ type: 0, format: "jpg", seed })));
  });
  afterAll(() => portal.close());
  beforeEach(() => portal.clock.advance({ minutes: 5 }));

  const rowOf = (id: number) =>
    portal.db
      .selectFrom("referral")
      .select(["status", "statusVersion", "statusSince", "recalledAt", "triageOrder"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  const ask = async (referralId: number, kinds: string[], more: Record<string, unknown> = {}) =>
    portal.as(admin, askForMaterial, {
      referralId,
      kinds,
      ...more,
    });
  const materialOf = async (referralId: number, who = dentist) =>
    (await portal.as(who, readReferral, { referralId })).material;
  const linesOf = async (referralId: number) => (await materialOf(referralId))!.lines;
  const decline = (referralId: number, lineId: number, who = dentist) =>
    portal.as(who, declineMaterial, { referralId, lineId, reply: "Er ikke taget" });
  const logOf = (referralId: number) => loggedEvents(portal.db, referralId);
  const mailsOf = (referralId: number, kind: string) =>
    portal.db
      .selectFrom("outbox")
      .select(["id", "outcome"])
      .where("referralId", "=", referralId)
      .where("kind", "=", kind)
      .where("outcome", "=", "queued")
      .execute();
  const listed = async (id: number, who = admin) =>
    (await portal.as(who, listReferrals, { f: `s0-4`, sort: "8" })).rows!.find((row) => row.id === id);

  const begin = (referralId: number, materialLineId: number, bytes: Buffer) =>
    anUpload(portal, dentist, bytes, { referralId, materialLineId });
  const arrive = (uploadId: string, bytes: Buffer) => storeParts(portal, uploadId, Readable.from([bytes]), 0);
  const finish = (uploadId: string) => portal.as(dentist, finishRadiographUpload, { uploadId });
  async function come(referralId: number, lineId: number, bytes: Buffer): Promise<void> {
    const upload = await begin(referralId, lineId, bytes);
    await arrive(upload, bytes);
    await finish(upload);
  }
  async function aDocument(referralId: number, lineId: number) {
    const formKey = `document-${lineId}`;
    const content = "navn;dosis\nParacetamol;1 g\n";
    await aStagedFile(portal, dentist, formKey, { fileName: "medicin.csv", content, kind: "journal" });
    return portal.as(dentist, addMaterialDocuments, { referralId, lineId, formKey });
  }

  test("a referral of 300 documents takes no more", async () => {
    const id = await aReferral(portal, dentist);
    await ask(id, ["medication", "journal"]);
    const [line, last] = await linesOf(id);
    await aDocument(id, line!.id);
    const { id: _id, ...file } = await portal.db
      .selectFrom("referralFile")
      .selectAll()
      .where("referralId", "=", id)
      .executeTakeFirstOrThrow();
    await portal.db
      .insertInto("referralFile")
      .values(Array.from({ length: 299 }, () => file))
      .execute();
    await expect(aDocument(id, last!.id)).rejects.toMatchObject({ name: "fileRefused" });
  });

  test("sets the status with the request, and mails the referrer no patient data", async () => {
    const id = await aReferral(portal, dentist);
    await expect(ask(id, [])).rejects.toMatchObject({ name: "invalid" });
    await expect(ask(id, ["other"])).rejects.toMatchObject({ name: "invalid" });
    const { flash } = await ask(id, ["panorama", "other"], { otherText: "Tandkort", note: "Gerne i dag" });
    expect(flash).toMatchObject({ tone: "success", formId: `status-${id}`, undo: { intent: "undoStatuses" } });
    expect(await rowOf(id)).toMatchObject({ status: 4, recalledAt: null });
    expect(await materialOf(id)).toMatchObject({
      note: "Gerne i dag",
      completedAt: null,
      lines: [
        { kind: "panorama", text: null, answer: "open" },
        { kind: "other", text: "Tandkort", answer: "open" },
      ],
    });
    expect(await listed(id)).toMatchObject({ missing: 2 });
    expect(await listed(id, dentist)).toMatchObject({ missing: 2 });
    expect(await mailsOf(id, "materialRequest")).toHaveLength(1);
    expect(await logOf(id)).toContain("Mangler: Panoramaoptagelse, Andet");
    const stored = await portal.db.selectFrom("materialLine").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain("Tandkort");
    await expect(materialOf(id, other)).rejects.toMatchObject({ name: "notInScope" });
  });

  test("is withdrawn with its status and mail, and restored by a later 'Fortryd'", async () => {
    const id = await aReferral(portal, dentist);
    const { flash } = await ask(id, ["cbct"]);
    await portal.as(admin, undoStatuses, flash!.undo!.fields);
    expect(await rowOf(id)).toMatchObject({ status: 0 });
    expect(await materialOf(id)).toBeNull();
    expect(await mailsOf(id, "materialRequest")).toHaveLength(0);
    portal.clock.advance({ minutes: 1 });
    await ask(id, ["journal"]);
    portal.clock.advance({ minutes: 1 });
    const { flash: triaged } = await portal.as(admin, setStatus, {
      referralId: id,
      status: 2,
      seenVersion: (await rowOf(id)).statusVersion,
    });
    expect(await materialOf(id)).toBeNull();
    expect(await materialRequestHooks.recheck!(portal, { referralId: id } as never)).toMatchObject({
      outcome: "withdrawn",
    });
    await portal.as(admin, undoStatuses, (triaged as { undo: { fields: object } }).undo.fields);
    expect(await linesOf(id)).toMatchObject([{ kind: "journal", answer: "open" }]);
    expect(await materialRequestHooks.recheck!(portal, { referralId: id } as never)).toBeNull();
    portal.clock.advance({ minutes: 1 });
    for (const status of [0, 4])
      await portal.as(admin, setStatus, { referralId: id, status, seenVersion: (await rowOf(id)).statusVersion });
    expect(await materialOf(id)).toBeNull();
    expect((await listed(id))!.missing).toBeUndefined();
  });

  test("is changed: unticked lines are withdrawn, answered lines stay", async () => {
    const id = await aReferral(portal, dentist);
    await ask(id, ["panorama", "cbct", "photo"]);
    await decline(id, (await linesOf(id))[0]!.id);
    await ask(id, ["photo", "journal"], { note: "Og journalen" });
    expect(await linesOf(id)).toMatchObject([
      { kind: "panorama", answer: "none", reply: "Er ikke taget" },
      { kind: "photo", answer: "open" },
      { kind: "journal", answer: "open" },
    ]);
  });

  test("returns to triage with the last answer, after urgent, before others", async () => {
    const waiting = await aReferral(portal, dentist);
    portal.clock.advance({ minutes: 1 });
    const id = await aReferral(portal, dentist);
    const urgent = await aReferral(portal, dentist, { referenceType: "1" });
    await ask(id, ["panorama", "medication", "cbct"]);
    const [panorama, medication, cbct] = await linesOf(id);
    await come(id, panorama!.id, pictures[0]!);
    await aDocument(id, medication!.id);
    expect(await rowOf(id)).toMatchObject({ status: 4 });
    expect(await listed(id)).toMatchObject({ missing: 1 });
    await decline(id, cbct!.id);
    const row = await rowOf(id);
    expect(row.status).toBe(0);
    expect(row.recalledAt).toBe(row.statusSince);
    expect(await materialOf(id)).toMatchObject({
      completedAt: expect.any(String),
      lines: [
        { answer: "files", files: [{ isImage: true }] },
        { answer: "files", files: [{ name: "medicin.csv", isImage: false }] },
        { answer: "none" },
      ],
    });
    expect((await logOf(id)).at(-1)).toBe("Materiale modtaget");
    const order = (await portal.as(admin, listReferrals, { f: "s0", sort: "8" })).rows!.map((each) => each.id);
    expect([urgent, id, waiting].map((each) => order.indexOf(each))).toEqual(
      [urgent, id, waiting].map((each) => order.indexOf(each)).sort((a, b) => a - b),
    );
    expect(await listed(id)).toMatchObject({ isRecalled: true });
    expect((await listed(id, dentist))!.isRecalled).toBeUndefined();
    portal.clock.advance({ minutes: 1 });
    await portal.as(admin, setStatus, { referralId: id, status: 16, seenVersion: row.statusVersion });
    expect((await rowOf(id)).triageOrder[0]).toBe("2");
    expect(await materialOf(id)).toBeNull();
  });

  test("keeps the referral's place by the day it came, also once the material came", async () => {
    const [before, id, after] = [
      await aReferral(portal, dentist),
      await aReferral(portal, dentist),
      await aReferral(portal, dentist),
    ];
    const dates = () =>
      portal.db.selectFrom("referral").select(["createDate", "sentAt"]).where("id", "=", id).executeTakeFirst();
    const came = await dates();
    const place = async (sort: string) =>
      (await portal.as(admin, listReferrals, { f: "s0-4", sort }))
        .rows!.map((row) => row.id)
        .filter((each) => [before, id, after].includes(each));
    portal.clock.advance({ hours: 30 });
    await ask(id, ["cbct"]);
    expect(await place("5")).toEqual([before, id, after]);
    portal.clock.advance({ hours: 30 });
    await decline(id, (await linesOf(id))[0]!.id);
    expect([(await rowOf(id)).status, await dates()]).toEqual([0, came]);
    expect(await place("5")).toEqual([before, id, after]);
    expect((await rowOf(id)).triageOrder.slice(1)).toBe(came!.sentAt);
  });

  test("names what was asked for before for the same patient, to those who see it", async () => {
    const patient = { cpr6: "150585", cpr4: "2311" };
    const [older, newer] = [await aReferral(portal, dentist, patient), await aReferral(portal, other, patient)];
    await aReferral(portal, dentist);
    await ask(older, ["panorama", "cbct"]);
    const earlier = async (referralId: number, who = admin) =>
      (await portal.as(who, readOpenReferral, { referralId })).earlierRequests.map(
        ({ referralId: of, kinds, isAnswered }) => [of, kinds, isAnswered],
      );
    expect(await earlier(newer), "staff before triage").toEqual([[older, ["panorama", "cbct"], false]]);
    expect(await earlier(newer, other), "a referrer without a list").toEqual([]);
    for (const { id } of await linesOf(older)) await decline(older, id);
    portal.clock.advance({ minutes: 1 });
    await ask(older, ["journal"]);
    await ask(newer, ["photo"]);
    expect(await earlier(newer)).toEqual([
      [older, ["journal"], false],
      [older, ["panorama", "cbct"], true],
    ]);
    expect(await earlier(newer, other), "a referrer of another clinic").toEqual([]);
    expect(await earlier(older, dentist)).toEqual([[older, ["panorama", "cbct"], true]]);
  });

  test("a line waits for all its files, but not for cancelled or lost ones", async () => {
    const id = await aReferral(portal, dentist);
    await ask(id, ["intraoral"]);
    const [line] = await linesOf(id);
    const uploads = await Promise.all(pictures.map((bytes) => begin(id, line!.id, bytes)));
    await arrive(uploads[0]!, pictures[0]!);
    await finish(uploads[0]!);
    expect(await linesOf(id)).toMatchObject([{ answer: "open", arriving: 2, files: [{ isImage: true }] }]);
    await portal.as(dentist, cancelUpload, { uploadId: uploads[1]! });
    expect(await rowOf(id)).toMatchObject({ status: 4 });
    await settleLateMaterials(portal, systemCaller("job"));
    expect(await rowOf(id)).toMatchObject({ status: 4 });
    portal.clock.advance({ hours: 25 });
    await settleLateMaterials(portal, systemCaller("job"));
    expect(await rowOf(id)).toMatchObject({ status: 0 });
  });

  test("two files completed simultaneously return it to triage once", async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await aReferral(portal, dentist);
      await ask(id, ["panorama", "photo"]);
      const lines = await linesOf(id);
      const uploads = await Promise.all(lines.map((line, index) => begin(id, line.id, pictures[index]!)));
      await Promise.all(uploads.map((upload, index) => arrive(upload, pictures[index]!)));
      await Promise.all(uploads.map(finish));
      expect(await rowOf(id)).toMatchObject({ status: 0 });
      expect((await logOf(id)).filter((event) => event === "Materiale modtaget")).toHaveLength(1);
    }
  });

  test("a file that arrives while staff set a status is attached", async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await aReferral(portal, dentist);
      await ask(id, ["panorama"]);
      const [line] = await linesOf(id);
      const upload = await begin(id, line!.id, pictures[0]!);
      await arrive(upload, pictures[0]!);
      const seenVersion = (await rowOf(id)).statusVersion;
      portal.clock.advance({ minutes: 1 });
      const [, set] = await Promise.allSettled([
        finish(upload),
        portal.as(admin, setStatus, { referralId: id, status: 2, seenVersion }),
      ]);
      expect((await rowOf(id)).status).toBe(set.status === "fulfilled" ? 2 : 0);
      expect((await portal.as(admin, readReferral, { referralId: id })).images).toHaveLength(1);
    }
  });

  test("refuses an answer to a withdrawn request, or outside the scope", async () => {
    const id = await aReferral(portal, dentist);
    await ask(id, ["panorama", "cbct"]);
    const [line] = await linesOf(id);
    await expect(decline(id, line!.id, other)).rejects.toMatchObject({ name: "notInScope" });
    const foreign = await aReferral(portal, other);
    await expect(decline(foreign, line!.id, other)).rejects.toMatchObject({ name: "conflict" });
    await decline(id, line!.id);
    await expect(decline(id, line!.id)).rejects.toMatchObject({ name: "conflict" });
  });
});
