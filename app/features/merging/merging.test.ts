import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person, Role } from "~/access/actor";
import { beginSession, findSession } from "~/access/sessions.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { mergeClinics } from "~/features/clinics/merge-clinics.server";
import { findReferrers } from "~/features/directory/find-referrers.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { removeExpired } from "~/features/maintenance/remove-expired.server";
import { writeMessage } from "~/features/messages/write-message.server";
import { listUsers } from "~/features/people/list-users.server";
import { mergeUsers } from "~/features/people/merge-users.server";
import { updateUser } from "~/features/people/update-user.server";
import { changeReferrer } from "~/features/referrals/details/change-referrer.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, aReferral } from "../../../tests/factories/referrals";
import { buildChild, runChild } from "../../../tests/support/crash/run-child";
import { countStatistics } from "../../../tests/support/count-statistics";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { findDuplicateUsers } from "./duplicates-store.server";
import { moveMerged } from "./move-merged.server";
import { mergedColumns } from "./merged-columns";
import { undoMerge } from "./undo-merge.server";

const SYSTEM = { kind: "system", job: "test" } as const;
/** What signing in, the union of clinics, the audit and the caches themselves write. */
const UNCOUNTED = new Set([
  "session",
  "known_address",
  "throttle",
  "user_clinic",
  "user_search_token",
  "audit_event",
  "audit_referral",
  "cache_change",
]);
const PASSWORD = "Hvidtjoern7Kost";

forEachDatabase("merging", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let count = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
  }, 60_000);
  afterAll(() => portal.close());

  const somebody = (clinicIds: number[], role: Role = "Dentist") =>
    aPerson(portal, { role, clinicIds, userName: `profil${(count += 1)}`, password: PASSWORD });
  const formOf = (keep: Person, others: Person[], more: object = {}) => ({
    keepId: keep.id,
    pick: [keep, ...others].map(({ id }) => String(id)),
    firstName: "Mette",
    lastName: "Kjærgaard",
    email: keep.email,
    status: 1,
    confirmed: "on",
    ...more,
  });
  const merge = (keep: Person, others: Person[], more: object = {}) =>
    portal.as(admin, mergeUsers, formOf(keep, others, more));
  const clinic = { name: "Samlet", address: "Åvej 1", zip: "8000", city: "Aarhus", email: "a@eksempel.dk", phone: "1" };
  const mergeClinic = (ids: number[], more: object = {}) =>
    portal.as(admin, mergeClinics, {
      keepId: ids[0],
      pick: ids.map(String),
      ...clinic,
      status: 1,
      confirmed: "on",
      ...more,
    });
  const moveAll = async () => {
    while ((await portal.as(SYSTEM, moveMerged, {})).data?.moved !== 0) continue;
  };
  const newestRun = async () =>
    await portal.db.selectFrom("merge_run").selectAll().orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();
  const undo = async () => portal.as(admin, undoMerge, { runId: (await newestRun()).id });
  const userRow = (id: number) =>
    portal.db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const tables = async () =>
    (await portal.db.introspection.getTables()).map(({ name }) => name).filter((name) => !name.startsWith("merge_"));
  /** How many rows each table has. */
  const counts = async () =>
    Object.fromEntries(
      await Promise.all(
        (await tables())
          .filter((name) => !UNCOUNTED.has(name))
          .map(async (name) => {
            const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(portal.db);
            return [name, Number(rows[0]!.n)] as const;
          }),
      ),
    );
  /** The actor that a session would make of them now. */
  const signedIn = async (person: Person): Promise<Person> => {
    const { token } = await beginSession(portal.db, person, portal.clock.now());
    return (await findSession(portal.db, token, portal.clock.now()))!.person;
  };
  const sees = async (person: Person, referralId: number) =>
    portal.as(await signedIn(person), readReferral, { referralId }).then(
      () => true,
      () => false,
    );
  const sums = async () =>
    Object.fromEntries(
      (await portal.db.selectFrom("statistics_sum").selectAll().where("n", "!=", 0).execute())
        .map((row) => [
          [row.measure, row.grain, row.start, row.bucket, row.referrer_id, row.clinic_id, row.treatment_type_id].join(
            "|",
          ),
          row.n,
        ])
        .sort(([a], [b]) => (a! < b! ? -1 : 1)),
    );

  test("the table of merged columns holds every column that names a user or a clinic", async () => {
    const names =
      /(?:^|_)(?:user|clinic|referrer|surgeon|creator|modifier|author|actor|owner|uploader|winner|loser|from|merged_into)_id$|^(\w+_by)$/;
    const columns = (await portal.db.introspection.getTables()).flatMap(({ name, columns: all }) =>
      all.map((column) => `${name}.${column.name}`),
    );
    const found = columns.filter((column) => names.test(column.split(".")[1]!) && !column.endsWith(".taken_by"));
    expect(found.sort()).toEqual(Object.keys(mergedColumns).sort());
  });

  test("of users loses nothing: the winner has all, sees it before it is moved, and the loser is signed out", async () => {
    const [ours, theirs] = [await aClinic(portal), await aClinic(portal)];
    const [winner, loser] = [await somebody([ours]), await somebody([ours, theirs])];
    const kept = await aReferral(portal, winner);
    const sent = await aReferral(portal, loser);
    const draft = await aDraft(portal, loser);
    await portal.as(loser, writeMessage, { referralId: sent, formKey: "m", text: "Hej" });
    await signedIn(loser);
    const before = await counts();
    await merge(winner, [loser], { email: "ny@eksempel.dk", isSecretary: false });
    expect(await userRow(loser.id)).toMatchObject({ status: 0, merged_into_id: winner.id });
    expect(await userRow(winner.id)).toMatchObject({
      first_name: "Mette",
      user_name: winner.userName,
      email: "ny@eksempel.dk",
    });
    expect(await portal.db.selectFrom("session").select("id").where("user_id", "=", loser.id).execute()).toEqual([]);
    // Nothing has been moved yet.
    expect(await sees(winner, sent)).toBe(true);
    expect((await signedIn(winner)).clinicIds.sort()).toEqual([ours, theirs]);
    await expect(
      portal.as({ kind: "anonymous" }, signIn, { userName: loser.userName, password: PASSWORD, to: "/" }),
    ).rejects.toMatchObject({ text: `Din profil er samlet med ${winner.userName}. Log ind med det brugernavn.` });
    const wrong = portal.as({ kind: "anonymous" }, signIn, { userName: loser.userName, password: "Forkert1", to: "/" });
    await expect(wrong).rejects.toMatchObject({ name: "wrongCredentials", text: undefined });
    expect((await findReferrers(portal.db, admin, loser.lastName)).map(({ id }) => id)).not.toContain(loser.id);
    await moveAll();
    const rows = await portal.db
      .selectFrom("referral")
      .select(["id", "referrer_id", "creator_id"])
      .where("id", "in", [kept, sent, draft])
      .orderBy("id")
      .execute();
    expect(rows.map((row) => row.creator_id)).toEqual([winner.id, winner.id, winner.id]);
    expect(rows[1]!.referrer_id).toBe(winner.id);
    expect(await portal.db.selectFrom("message").select("author_id").where("referral_id", "=", sent).execute()).toEqual(
      [{ author_id: winner.id }],
    );
    const after = await counts();
    // Both addresses are told of the other e-mail, once, and the loser of the merge.
    expect(after).toEqual({ ...before, outbox: before.outbox! + 3, statistics_sum: after.statistics_sum });
    expect(await sums()).toEqual(await countStatistics(portal.db));
    expect(await newestRun()).toMatchObject({ state: "done" });

    const { version } = await portal.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", sent)
      .executeTakeFirstOrThrow();
    const another = { referralId: sent, seenVersion: version, referrerId: (await somebody([ours])).id };
    await portal.as(admin, changeReferrer, another);
    await portal.as(admin, updateUser, {
      userId: winner.id,
      type: 1,
      firstName: "Mette",
      lastName: "Ny",
      userName: winner.userName,
      email: "ny@eksempel.dk",
      status: 1,
    });
    await undo();
    await moveAll();
    expect(await userRow(loser.id)).toMatchObject({ status: 1, merged_into_id: null });
    expect(await userRow(winner.id)).toMatchObject({
      first_name: winner.firstName,
      last_name: "Ny",
      email: winner.email,
    });
    const left = await portal.db
      .selectFrom("merge_moved")
      .select(["place", "row_id"])
      .where("outcome", "=", "left")
      .orderBy("place")
      .execute();
    expect(left).toEqual([
      { place: "referral.referrer_id", row_id: sent },
      { place: "user.last_name", row_id: winner.id },
    ]);
    expect(await sees(loser, sent)).toBe(true);
    expect((await signedIn(winner)).clinicIds).toEqual([ours]);
    expect(await sums()).toEqual(await countStatistics(portal.db));
    await expect(undo()).rejects.toMatchObject({ name: "conflict" });
  });

  test("notifies merged users of the user name they sign in with now, if the account is active", async () => {
    const clinicId = await aClinic(portal);
    const [winner, loser, left] = [await somebody([clinicId]), await somebody([clinicId]), await somebody([clinicId])];
    await portal.db.updateTable("user").set({ status: 0 }).where("id", "=", left.id).execute();
    const notified = async () => {
      const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "accountMerged").execute();
      const own = rows.filter((row) => [winner.id, loser.id, left.id].includes(row.user_id!));
      return own.map((row) => ({ userId: row.user_id, ...unsealMessage(portal.secrets, row) }));
    };
    await merge(winner, [loser, left], { status: 0 });
    await moveAll();
    expect(await notified()).toEqual([]);
    await undo();
    await moveAll();
    await merge(winner, [loser, left]);
    await moveAll();
    expect(await notified()).toEqual([
      {
        userId: loser.id,
        to: loser.email,
        content: expect.stringContaining(`er samlet med profilen ${winner.userName}.`),
      },
    ]);
  });

  test("of clinics moves members and referrals, each with its referrer, and gives back what still stands there", async () => {
    const [ours, theirs] = [await aClinic(portal), await aClinic(portal)];
    const [dentist, both, secretary, own] = [
      await somebody([theirs]),
      await somebody([theirs, ours]),
      await somebody([theirs], "Dentist Secretary"),
      await somebody([ours], "Dentist Secretary"),
    ];
    const sent = await aReferral(portal, dentist);
    expect(await sees(own, sent)).toBe(false);
    const members = () =>
      portal.db
        .selectFrom("user_clinic")
        .selectAll()
        .where("clinic_id", "in", [ours, theirs])
        .orderBy("user_id")
        .orderBy("clinic_id")
        .execute();
    const before = await members();
    await mergeClinic([ours, theirs]);
    expect(await sees(own, sent)).toBe(true);
    expect((await members()).map((row) => [row.user_id, row.clinic_id, row.is_primary])).toEqual(
      [dentist, both, secretary, own].map(({ id }) => [id, ours, 1]),
    );
    expect((await signedIn(secretary)).roles).toEqual(["Dentist Secretary"]);
    await moveAll();
    const row = () =>
      portal.db
        .selectFrom("referral")
        .select(["clinic_id", "referrer_id"])
        .where("id", "=", sent)
        .executeTakeFirstOrThrow();
    expect(await row()).toEqual({ clinic_id: ours, referrer_id: dentist.id });
    expect(await sums()).toEqual(await countStatistics(portal.db));
    await undo();
    await moveAll();
    expect(await row()).toEqual({ clinic_id: theirs, referrer_id: dentist.id });
    expect(await members()).toEqual(before);
    expect(await sums()).toEqual(await countStatistics(portal.db));
  });

  test("refuses staff, users outside the scope, users merged or changed meanwhile, and an undo that comes too late", async () => {
    const [ours, theirs] = [await aClinic(portal), await aClinic(portal)];
    const [winner, loser, stranger] = [await somebody([ours]), await somebody([ours]), await somebody([theirs])];
    await expect(merge(winner, [admin])).rejects.toMatchObject({ text: "Admin og Surgeon kan ikke fusioneres." });
    await expect(merge(winner, [winner])).rejects.toMatchObject({ name: "invalid" });
    await expect(merge(winner, [stranger])).rejects.toMatchObject({ name: "invalid" });
    await expect(merge(winner, [{ ...loser, id: 999_999 }])).rejects.toMatchObject({ name: "notInScope" });
    await expect(merge(winner, [loser], { status: "" })).rejects.toMatchObject({ name: "invalid" });
    await expect(merge(winner, [loser], { confirmed: undefined })).rejects.toMatchObject({ name: "invalid" });
    await expect(merge(winner, [loser], { pick: [`${winner.id}:1`, `${loser.id}:9`] })).rejects.toMatchObject({
      name: "conflict",
    });
    const secretary = await somebody([ours], "Dentist Secretary");
    await expect(portal.as(secretary, mergeUsers, formOf(winner, [loser]))).rejects.toMatchObject({
      name: "notAllowed",
    });
    await merge(winner, [loser], { firstName: "(andet)", firstNameTyped: "Skrevet" });
    expect((await userRow(winner.id)).first_name).toBe("Skrevet");
    const third = await somebody([ours]);
    await expect(merge(third, [winner])).rejects.toMatchObject({ name: "conflict" });
    await moveAll();
    await expect(merge(third, [loser])).rejects.toMatchObject({
      text: `${loser.userName} er allerede samlet med en anden.`,
    });
    const first = (await newestRun()).id;
    // Whoever was merged into the winner follows them, and comes back with them.
    await merge(third, [winner]);
    await moveAll();
    expect(await userRow(loser.id)).toMatchObject({ merged_into_id: third.id });
    await expect(portal.as(admin, undoMerge, { runId: first })).rejects.toMatchObject({ name: "conflict" });
    await undo();
    await moveAll();
    expect(await userRow(loser.id)).toMatchObject({ merged_into_id: winner.id });
    portal.clock.advance({ days: 31 });
    await expect(portal.as(admin, undoMerge, { runId: first })).rejects.toMatchObject({
      text: "En fusionering kan kun fortrydes i 30 dage.",
    });
    portal.clock.advance({ days: 1 });
    const kept = async () => (await portal.db.selectFrom("merge_moved").select("row_id").execute()).length;
    // A few at a time, so that nobody waits for it.
    for (let before = await kept(); before > 0; before = await kept()) {
      await portal.as(SYSTEM, removeExpired, {});
      expect(await kept()).toBeLessThan(before);
    }
    expect((await portal.as(admin, listUsers, { filter: { search: loser.userName } })).total).toBe(1);
  });

  test("continues after being killed, moves nothing twice, and suggests likely duplicates", async () => {
    const clinicId = await aClinic(portal);
    const [winner, loser] = [await somebody([clinicId]), await somebody([clinicId])];
    await portal.db.updateTable("user").set({ email: winner.email.toUpperCase() }).where("id", "=", loser.id).execute();
    const staff = ["Admin", "Surgeon"];
    expect(await findDuplicateUsers(portal.db, winner.id, staff)).toEqual([
      { id: loser.id, knownAs: loser.userName, why: "dentistId" },
    ]);
    await portal.db.updateTable("user").set({ dentist_external_id: null }).where("id", "=", loser.id).execute();
    expect(await findDuplicateUsers(portal.db, winner.id, staff)).toMatchObject([{ why: "email" }]);
    const ids = [await aReferral(portal, loser), await aReferral(portal, loser)];
    await merge(winner, [loser]);
    const child = await buildChild();
    const now = portal.clock.now().toISOString();
    const run = (dieBefore: number) =>
      runChild(child, portal.config, { now, dieBefore, steps: [{ does: "moveMerged" }] }, {});
    for (const dieBefore of [6, 9, 14, 18]) expect((await run(dieBefore)).signal).toBe("SIGKILL");
    await moveAll();
    const rows = await portal.db
      .selectFrom("referral")
      .select(["referrer_id", "creator_id"])
      .where("id", "in", ids)
      .execute();
    expect(rows).toEqual(ids.map(() => ({ referrer_id: winner.id, creator_id: winner.id })));
    const moved = portal.db
      .selectFrom("merge_moved")
      .select("row_id")
      .where("run_id", "=", (await newestRun()).id);
    expect(await moved.where("place", "=", "referral.referrer_id").orderBy("row_id").execute()).toEqual(
      ids.map((id) => ({ row_id: id })),
    );
    expect(await sums()).toEqual(await countStatistics(portal.db));
  }, 120_000);
});
