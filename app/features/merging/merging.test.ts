import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { beginSession, findSession } from "~/access/sessions.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { mergeClinics, updateClinic } from "~/features/clinics/operations.server";
import { findReferrers } from "~/features/directory/operations.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { writeMessage } from "~/features/messages/operations.server";
import { updateUser } from "~/features/people/update-user.server";
import { changeReferrer } from "~/features/referrals/details/operations.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { aClinic } from "../../../tests/factories/people";
import { aDraft, aReferral } from "../../../tests/factories/referrals";
import { countStatistics, storedStatistics } from "../../../tests/support/count-statistics";
import { mergingPortal, PASSWORD } from "../../../tests/support/portals/merging-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { codeName } from "~db/names.server";
import { mergedColumns } from "./merged-columns";

/** Tables written by signing in, the union of clinics, the audit and the caches. */
const UNCOUNTED = new Set([
  "session",
  "knownAddress",
  "throttle",
  "userClinic",
  "userSearchToken",
  "auditEvent",
  "auditReferral",
  "cacheChange",
]);

forEachDatabase("merging", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  const { somebody, merge, moveAll, newestRun, undo, userRow } = mergingPortal(dialect, (opened) => {
    ({ portal, admin } = opened);
  });
  const clinic = {
    name: "Samlet",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    email: "a@eksempel.dk",
    phone: "10 00 00 01",
  };
  const mergeClinic = (ids: number[], more: object = {}) =>
    portal.as(admin, mergeClinics, {
      keepId: ids[0],
      pick: ids.map(String),
      ...clinic,
      status: 1,
      confirmed: "on",
      ...more,
    });
  const tables = async () =>
    (await portal.db.introspection.getTables())
      .map(({ name }) => codeName(name))
      .filter((name) => !/^merge[A-Z]/.test(name));
  /** Row counts by table. */
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
  /** The actor a session would build from the present rows. */
  const signedIn = async (person: Person): Promise<Person> => {
    const { token } = await beginSession(portal.db, person, portal.clock.now());
    return (await findSession(portal, token, portal.clock.now()))!.person;
  };
  const sees = async (person: Person, referralId: number) =>
    portal.as(await signedIn(person), readReferral, { referralId }).then(
      () => true,
      () => false,
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

  test("of users loses nothing: the winner has all, the loser is signed out", async () => {
    const [ours, theirs] = [await aClinic(portal), await aClinic(portal)];
    const [winner, loser] = [await somebody([ours]), await somebody([ours, theirs])];
    const kept = await aReferral(portal, winner);
    const sent = await aReferral(portal, loser);
    const draft = await aDraft(portal, loser);
    await portal.as(loser, writeMessage, { referralId: sent, formKey: "m", text: "Hej" });
    for (const person of [winner, loser]) await signedIn(person);
    const before = await counts();
    await merge(winner, [loser], { email: "ny@eksempel.dk", isSecretary: false });
    const winnersSessions = () =>
      portal.db.selectFrom("session").select("id").where("userId", "=", winner.id).execute();
    // The merge chose the other e-mail address, so sessions end.
    expect(await winnersSessions()).toEqual([]);
    expect(await userRow(loser.id)).toMatchObject({ status: 0, mergedIntoId: winner.id });
    expect(await userRow(winner.id)).toMatchObject({
      firstName: "Mette",
      userName: winner.userName,
      email: "ny@eksempel.dk",
    });
    expect(await portal.db.selectFrom("session").select("id").where("userId", "=", loser.id).execute()).toEqual([]);
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
      .select(["id", "referrerId", "creatorId"])
      .where("id", "in", [kept, sent, draft])
      .orderBy("id")
      .execute();
    expect(rows.map((row) => row.creatorId)).toEqual([winner.id, winner.id, winner.id]);
    expect(rows[1]!.referrerId).toBe(winner.id);
    expect(await portal.db.selectFrom("message").select("authorId").where("referralId", "=", sent).execute()).toEqual([
      { authorId: winner.id },
    ]);
    const after = await counts();
    // Both addresses are notified once of the changed e-mail, and so is the loser.
    expect(after).toEqual({ ...before, outbox: before.outbox! + 3, statisticsSum: after.statisticsSum });
    expect(await storedStatistics(portal.db)).toEqual(await countStatistics(portal.db));
    const run = await newestRun();
    expect(run).toMatchObject({ state: "done" });
    // What is stored outlives the names in code.
    for (const values of [run.valuesBefore, run.valuesAfter])
      expect(Object.keys(JSON.parse(values) as object)).toEqual(
        expect.arrayContaining(["last_name", "mobile_phone", "send_ending_letters_via_edi", "roles"]),
      );

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
    await signedIn(winner);
    await undo();
    expect(await winnersSessions()).toEqual([]);
    await moveAll();
    expect(await userRow(loser.id)).toMatchObject({ status: 1, mergedIntoId: null });
    expect(await userRow(winner.id)).toMatchObject({
      firstName: winner.firstName,
      lastName: "Ny",
      email: winner.email,
    });
    const left = await portal.db
      .selectFrom("mergeMoved")
      .select(["place", "rowId"])
      .where("outcome", "=", "left")
      .orderBy("place")
      .execute();
    expect(left).toEqual([
      { place: "referral.referrer_id", rowId: sent },
      { place: "user.last_name", rowId: winner.id },
    ]);
    expect(await sees(loser, sent)).toBe(true);
    expect((await signedIn(winner)).clinicIds).toEqual([ours]);
    expect(await storedStatistics(portal.db)).toEqual(await countStatistics(portal.db));
    await expect(undo()).rejects.toMatchObject({ name: "conflict" });
  });

  test("notifies merged users of the user name they sign in with now", async () => {
    const clinicId = await aClinic(portal);
    const [winner, loser, left] = [await somebody([clinicId]), await somebody([clinicId]), await somebody([clinicId])];
    await portal.db.updateTable("user").set({ status: 0 }).where("id", "=", left.id).execute();
    const notified = async () => {
      const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "accountMerged").execute();
      const own = rows.filter((row) => [winner.id, loser.id, left.id].includes(row.userId!));
      return own.map((row) => ({ userId: row.userId, ...unsealMessage(portal.secrets, row) }));
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

  test("of clinics moves members and referrals, and gives them back", async () => {
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
        .selectFrom("userClinic")
        .selectAll()
        .where("clinicId", "in", [ours, theirs])
        .orderBy("userId")
        .orderBy("clinicId")
        .execute();
    const before = await members();
    await mergeClinic([ours, theirs]);
    expect(await sees(own, sent)).toBe(true);
    expect((await members()).map((row) => [row.userId, row.clinicId, row.isPrimary])).toEqual(
      [dentist, both, secretary, own].map(({ id }) => [id, ours, true]),
    );
    expect((await signedIn(secretary)).roles).toEqual(["Dentist Secretary"]);
    await moveAll();
    const row = () =>
      portal.db
        .selectFrom("referral")
        .select(["clinicId", "referrerId"])
        .where("id", "=", sent)
        .executeTakeFirstOrThrow();
    expect(await row()).toEqual({ clinicId: ours, referrerId: dentist.id });
    expect(await storedStatistics(portal.db)).toEqual(await countStatistics(portal.db));
    const wake = portal.as(admin, updateClinic, { clinicId: theirs, ...clinic, status: 1 });
    await expect(wake).rejects.toMatchObject({ name: "conflict", text: expect.stringContaining("Fortryd") });
    await undo();
    await moveAll();
    expect(await row()).toEqual({ clinicId: theirs, referrerId: dentist.id });
    expect(await members()).toEqual(before);
    expect(await storedStatistics(portal.db)).toEqual(await countStatistics(portal.db));
  });
});
