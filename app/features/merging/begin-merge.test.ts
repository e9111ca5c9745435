import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { removeExpired } from "~/features/maintenance/operations.server";
import { accountTypes } from "~/features/people/role-names";
import { listUsers } from "~/features/people/user-list.server";
import { mergeUsers } from "~/features/people/merge-users.server";
import { updateUser } from "~/features/people/update-user.server";
import { aClinic } from "../../../tests/factories/people";
import { mergingPortal, SYSTEM } from "../../../tests/support/portals/merging-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { whileRowChanges } from "../../../tests/support/write-lock";
import { undoMerge } from "./operations.server";

forEachDatabase("merging", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  const { somebody, formOf, merge, moveAll, newestRun, undo, userRow } = mergingPortal(dialect, (opened) => {
    ({ portal, admin } = opened);
  });

  test("typed text counts whichever radio was pressed, and a 'no' is a value", async () => {
    const ours = await aClinic(portal);
    const [winner, loser] = [await somebody([ours]), await somebody([ours], "Dentist Secretary")];
    await merge(winner, [loser], {
      firstName: "Mette",
      firstNameTyped: "Metha",
      lastName: "Kjær",
      lastNameTyped: " ",
      phone: "(andet)",
      phoneTyped: "",
      status: "1",
      statusTyped: "",
      isSecretary: "off",
      sendEndingLettersViaEdi: "off",
      sendEndingLettersViaEdiTyped: "on",
    });
    expect(await userRow(winner.id)).toMatchObject({
      firstName: "Metha",
      lastName: "Kjær",
      phone: null,
      sendEndingLettersViaEdi: true,
    });
    const roles = portal.db.selectFrom("userRole").select("role").where("userId", "=", winner.id);
    expect(await roles.execute()).toEqual([{ role: "Dentist" }]);
    await moveAll();
  });

  test("refuses staff, users outside the scope or changed meanwhile, and a late undo", async () => {
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
    expect((await userRow(winner.id)).firstName).toBe("Skrevet");
    const third = await somebody([ours]);
    await expect(merge(third, [winner])).rejects.toMatchObject({ name: "conflict" });
    await moveAll();
    await expect(merge(third, [loser])).rejects.toMatchObject({
      text: `${loser.userName} er allerede samlet med en anden.`,
    });
    const first = (await newestRun()).id;
    // People merged into the winner earlier follow the merge and its undo.
    await merge(third, [winner]);
    await moveAll();
    expect(await userRow(loser.id)).toMatchObject({ mergedIntoId: third.id });
    await expect(portal.as(admin, undoMerge, { runId: first })).rejects.toMatchObject({ name: "conflict" });
    await undo();
    await moveAll();
    expect(await userRow(loser.id)).toMatchObject({ mergedIntoId: winner.id });
    portal.clock.advance({ days: 31 });
    await expect(portal.as(admin, undoMerge, { runId: first })).rejects.toMatchObject({
      text: "En fusionering kan kun fortrydes i 30 dage.",
    });
    portal.clock.advance({ days: 1 });
    const kept = async () => (await portal.db.selectFrom("mergeMoved").select("rowId").execute()).length;
    for (let before = await kept(); before > 0; before = await kept()) {
      await portal.as(SYSTEM, removeExpired, {});
      expect(await kept()).toBeLessThan(before);
    }
    expect((await portal.as(admin, listUsers, { filter: { search: loser.userName } })).total).toBe(1);
  });

  test("of two merges, or two undos, at the same moment one is done", async () => {
    const ours = await aClinic(portal);
    const refusals = async (tries: Promise<unknown>[]) =>
      (await Promise.allSettled(tries)).flatMap((one) => (one.status === "fulfilled" ? [] : [String(one.reason.name)]));
    for (let turn = 0; turn < 3; turn += 1) {
      const [first, second, loser] = [await somebody([ours]), await somebody([ours]), await somebody([ours])];
      expect(await refusals([merge(first, [loser]), merge(second, [loser])])).toEqual(["conflict"]);
      expect([first.id, second.id]).toContain((await userRow(loser.id)).mergedIntoId);
      expect(await refusals([undo(), undo()])).toEqual(["conflict"]);
      await moveAll();
      expect((await userRow(loser.id)).mergedIntoId).toBeNull();
      // Merging in a circle must not leave an account without an end.
      expect(await refusals([merge(first, [second]), merge(second, [first])])).toEqual(["conflict"]);
      const merged = [(await userRow(first.id)).mergedIntoId, (await userRow(second.id)).mergedIntoId];
      expect(merged.filter((id) => id === null)).toHaveLength(1);
      await moveAll();
    }
  });

  // SQLite has one writer: nothing changes between the statements of a transaction.
  test.runIf(dialect === "mariadb")("is not undone while its winner is merged into another", async () => {
    const ours = await aClinic(portal);
    const [winner, loser, third] = [await somebody([ours]), await somebody([ours]), await somebody([ours])];
    await merge(winner, [loser]);
    await moveAll();
    const undone = whileRowChanges(
      portal,
      { table: "user", id: winner.id, set: `merged_into_id = ${third.id}, version = version + 1` },
      undo,
    );
    await expect(undone).rejects.toMatchObject({ name: "conflict" });
    expect(await userRow(loser.id)).toMatchObject({ status: 0, mergedIntoId: winner.id });
  });

  test("a merged user is not made active again before the merge is undone", async () => {
    const ours = await aClinic(portal);
    const [winner, loser] = [await somebody([ours]), await somebody([ours])];
    await merge(winner, [loser]);
    await moveAll();
    const { firstName, userName, email } = loser;
    const wake = (status: number) =>
      portal.as(admin, updateUser, {
        userId: loser.id,
        type: accountTypes.referrer,
        firstName,
        lastName: "Kjær",
        userName,
        email,
        status,
      });
    await expect(wake(1)).rejects.toMatchObject({ name: "conflict", text: expect.stringContaining("Fortryd") });
    await wake(0);
    expect(await userRow(loser.id)).toMatchObject({ status: 0, mergedIntoId: winner.id });
    await undo();
    await moveAll();
    await wake(1);
    expect(await userRow(loser.id)).toMatchObject({ status: 1, mergedIntoId: null });
  });
});
