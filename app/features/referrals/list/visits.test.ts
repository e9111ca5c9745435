import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft, aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { type ListedReferrals, listReferrals } from "./list-referrals.server";
import { patchReferral, readVisitLog } from "~/features/referrals/details/operations.server";
import { visitAnswer } from "~/http/api/calls/visit-shapes.server";
import { putReferral } from "../details/edit-referral.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { listDrafts } from "~/features/drafts/draft-list.server";

forEachDatabase("visits as the API reads and changes them", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let stranger: Person;
  let surgeon: Person;
  let referralId: number;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    surgeon = await aPerson(portal, { role: "Surgeon" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    referralId = await aReferral(portal, dentist, { comment: "Kommentar" });
  });
  afterAll(() => portal.close());

  const read = async (person: Person, id: number) =>
    visitAnswer(await portal.as(person, readReferral, { referralId: id, orDraft: true }));
  const visit = () => read(admin, referralId);

  test("reads a referral and a draft within the scope only", async () => {
    const draftId = await aDraft(portal, dentist);
    expect(await read(dentist, referralId)).toMatchObject({
      isDraft: false,
      comment: "Kommentar",
      modifyDate: null,
      exportedToCsv: null,
    });
    expect(await read(dentist, draftId)).toMatchObject({ isDraft: true, status: -1 });
    for (const id of [referralId, draftId])
      await expect(read(stranger, id)).rejects.toMatchObject({ name: "notInScope" });
    // A draft is not shown by this page, not even to its dentist.
    await expect(portal.as(dentist, readReferral, { referralId: draftId })).rejects.toMatchObject({
      name: "notInScope",
    });
    expect((await portal.as(dentist, listDrafts, {})).rows.map(({ id }) => id)).toEqual([draftId]);
    expect(await portal.as(stranger, listDrafts, {})).toMatchObject({ total: 0, rows: [] });
  });

  test("the list's pages and filters", async () => {
    for (const firstName of ["Anna", "Bo"]) await aReferral(portal, dentist, { firstName });
    const list = async (input: Record<string, unknown>, person = dentist) =>
      (await portal.as(person, listReferrals, {
        filter: {},
        sort: "1",
        countsAll: true,
        rowsOnly: true,
        ...input,
      })) as ListedReferrals;
    const idsOf = ({ rows }: ListedReferrals) => rows.map(({ id }) => id);
    const all = await list({});
    expect(all.total).toBe(3);
    const pages = await Promise.all([1, 2, 3].map((page) => list({ pageSize: 1, page })));
    expect(pages.flatMap(idsOf)).toEqual(idsOf(all));
    expect((await list({ filter: { patientName: "anna" } })).total).toBe(1);
    expect(await list({}, stranger)).toMatchObject({ total: 0, rows: [] });
  });

  test("changes status and surgeon together or not at all, and raises the version", async () => {
    const before = await visit();
    await expect(portal.as(admin, patchReferral, { referralId, status: 2, surgeonId: 999_999 })).rejects.toMatchObject({
      name: "invalid",
    });
    expect(await visit()).toEqual(before);
    await portal.as(admin, patchReferral, {
      referralId,
      seenVersion: before.version,
      seenStatusVersion: before.statusVersion,
      status: 2,
      surgeonId: surgeon.id,
    });
    const after = await visit();
    expect(after).toMatchObject({ status: 2, surgeonId: surgeon.id, version: before.version + 1 });
    expect(after.statusVersion).toBe(before.statusVersion + 1);
    for (const seen of [{ seenStatusVersion: before.statusVersion }, {}]) {
      await expect(
        portal.as(admin, patchReferral, { referralId, seenVersion: after.version, ...seen, status: 3 }),
      ).rejects.toMatchObject({ name: "conflict" });
    }
    expect((await portal.as(admin, readVisitLog, { referralId })).entries.map(({ status }) => status)).toContain(2);
  });

  test("an edit keeps unnamed fields, clears empty ones, reports conflicts", async () => {
    const before = await visit();
    await portal.as(admin, putReferral, {
      referralId,
      fields: { price: "4850,50", surgeonComment: "Set.", operationDate: "2027-02-03", operationTimeHours: "9" },
      status: 3,
    });
    expect(await visit()).toMatchObject({
      price: 4850.5,
      surgeonComment: "Set.",
      operationDate: "2027-02-03",
      operationTimeHours: 9,
      operationTimeMinutes: 0,
      surgeonId: surgeon.id,
      status: 3,
      lastName: before.lastName,
      cpr: before.cpr,
    });
    await portal.as(admin, putReferral, { referralId, fields: { zip: before.zip } });
    expect(await visit()).toMatchObject({ price: 4850.5, operationDate: "2027-02-03", surgeonComment: "Set." });
    await portal.as(admin, putReferral, { referralId, fields: { surgeonComment: "", price: "" } });
    expect(await visit()).toMatchObject({ price: null, surgeonComment: null, operationDate: "2027-02-03" });
    await expect(portal.as(admin, putReferral, { referralId, fields: { zip: "" } })).rejects.toMatchObject({
      name: "invalid",
      fields: { zip: [expect.any(String)] },
    });
    await expect(
      portal.as(admin, putReferral, { referralId, seenVersion: before.version, fields: {} }),
    ).rejects.toMatchObject({ name: "conflict" });
    await expect(portal.as(dentist, putReferral, { referralId, fields: {} })).rejects.toMatchObject({
      name: "notAllowed",
    });
  });
});
