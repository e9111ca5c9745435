import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aClinic, aPerson } from "../../tests/factories/people";
import { aDraft, aReferral } from "../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import type { Actor, Person, Role } from "./actor";
import { draftScope, referralScope } from "./scope.server";

const rows = [
  "ownSent",
  "ownDraft",
  "colleagueSent",
  "colleagueDraft",
  "secretarySentForOwn",
  "secretaryDraft",
  "foreignSent",
  "foreignDraft",
] as const;
type Row = (typeof rows)[number];

forEachDatabase("the referral scope of each role", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const people: Partial<Record<Role | "foreign secretary" | "no clinic" | "foreign dentist", Person>> = {};
  const ids: Partial<Record<Row, number>> = {};
  let deletedDraft: number;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const [own, foreign] = [await aClinic(portal), await aClinic(portal)];
    for (const role of ["Admin", "Surgeon"] as const) people[role] = await aPerson(portal, { role });
    for (const role of ["Secretary", "Dentist Secretary", "Dentist"] as const)
      people[role] = await aPerson(portal, { role, clinicIds: [own] });
    people["foreign secretary"] = await aPerson(portal, { role: "Secretary", clinicIds: [foreign] });
    people["foreign dentist"] = await aPerson(portal, { role: "Dentist", clinicIds: [foreign] });
    people["no clinic"] = await aPerson(portal, { role: "Secretary", clinicIds: [] });
    const colleague = await aPerson(portal, { role: "Dentist", clinicIds: [own] });
    const dentist = people.Dentist!;
    ids.ownSent = await aReferral(portal, dentist);
    ids.ownDraft = await aDraft(portal, dentist);
    ids.colleagueSent = await aReferral(portal, colleague);
    ids.colleagueDraft = await aDraft(portal, colleague);
    ids.secretarySentForOwn = await aReferral(portal, people.Secretary!, { referrer: dentist });
    ids.secretaryDraft = await aDraft(portal, people.Secretary!);
    ids.foreignSent = await aReferral(portal, people["foreign dentist"]);
    ids.foreignDraft = await aDraft(portal, people["foreign dentist"]);
    deletedDraft = await aDraft(portal, dentist);
    await portal.db
      .updateTable("referral")
      .set({ deletedAt: "2026-12-01T09:00:00.000Z" })
      .where("id", "=", deletedDraft)
      .execute();
  });
  afterAll(() => portal.close());

  const sent: Row[] = ["ownSent", "colleagueSent", "secretarySentForOwn", "foreignSent"];
  const drafts: Row[] = ["ownDraft", "colleagueDraft", "secretaryDraft", "foreignDraft"];
  const clinicSent: Row[] = ["ownSent", "colleagueSent", "secretarySentForOwn"];
  const clinicDrafts: Row[] = ["ownDraft", "colleagueDraft", "secretaryDraft"];

  const table: [string, (p: typeof people) => Actor, Row[], Row[]][] = [
    ["Admin", (p) => p.Admin!, sent, drafts],
    ["Surgeon", (p) => p.Surgeon!, sent, drafts],
    ["Secretary", (p) => p.Secretary!, clinicSent, clinicDrafts],
    ["Dentist Secretary", (p) => p["Dentist Secretary"]!, clinicSent, clinicDrafts],
    ["Dentist", (p) => p.Dentist!, ["ownSent", "secretarySentForOwn"], ["ownDraft"]],
    ["a secretary of another clinic", (p) => p["foreign secretary"]!, ["foreignSent"], ["foreignDraft"]],
    ["a dentist of another clinic", (p) => p["foreign dentist"]!, ["foreignSent"], ["foreignDraft"]],
    ["a secretary without a clinic", (p) => p["no clinic"]!, [], []],
    [
      "a secretary who is a dentist of another clinic too",
      (p) => ({ ...p["foreign dentist"]!, roles: ["Secretary", "Dentist"], clinicIds: p.Secretary!.clinicIds }),
      sent,
      [...clinicDrafts, "foreignDraft"],
    ],
    ["a dentist whose role was taken away", (p) => ({ ...p.Dentist!, roles: [] }), [], []],
    ["the portal's own jobs", () => ({ kind: "system", job: "test" }), sent, drafts],
    ["nobody", () => ({ kind: "anonymous" }), [], []],
    [
      "a patient's link to a sent referral",
      () => ({
        kind: "patientToken",
        referralId: ids.ownSent!,
        purpose: "radiographLink",
        letterNumber: null,
        operationMoment: null,
      }),
      ["ownSent"],
      [],
    ],
    [
      "a patient's link to a draft",
      () => ({
        kind: "patientToken",
        referralId: ids.ownDraft!,
        purpose: "radiographLink",
        letterNumber: null,
        operationMoment: null,
      }),
      [],
      ["ownDraft"],
    ],
  ];

  describe.each(table)("%s", (_name, actorOf, seesSent, seesDrafts) => {
    const named = (found: { id: number }[]) => rows.filter((row) => found.some(({ id }) => id === ids[row]));

    test("in lists", async () => {
      const actor = actorOf(people);
      const sentFound = await portal.db.selectFrom("referral").select("id").where(referralScope(actor)).execute();
      const draftsFound = await portal.db.selectFrom("referral").select("id").where(draftScope(actor)).execute();
      expect(named(sentFound).toSorted()).toEqual(seesSent.toSorted());
      expect(named(draftsFound).toSorted()).toEqual(seesDrafts.toSorted());
      expect([...sentFound, ...draftsFound].map(({ id }) => id)).not.toContain(deletedDraft);
    });

    test.each(rows)("by id: %s", async (row) => {
      const actor = actorOf(people);
      const byId = (where: ReturnType<typeof referralScope>) =>
        portal.db.selectFrom("referral").select("id").where("id", "=", ids[row]!).where(where).execute();
      expect(await byId(referralScope(actor))).toHaveLength(seesSent.includes(row) ? 1 : 0);
      expect(await byId(draftScope(actor))).toHaveLength(seesDrafts.includes(row) ? 1 : 0);
    });
  });
});
