import { expect, test } from "vitest";
import { readUserMerge } from "~/features/people/operations.server";
import { findBySubject, releaseSubject } from "~/features/accounts/external-identity-store.server";
import type { Person } from "~/access/actor";
import { aClinic } from "../../../tests/factories/people";
import { mergingPortal } from "../../../tests/support/portals/merging-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

const ISSUER = "https://login.eksempel.dk";

forEachDatabase("the account at the identity provider of merged users", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  const { somebody, merge, moveAll, undo } = mergingPortal(dialect, (opened) => {
    ({ portal, admin } = opened);
  });
  const bind = (id: number, subject: string) =>
    portal.db
      .updateTable("user")
      .set({ externalIssuer: ISSUER, externalSubject: subject, externalIdentity: `navn-${subject}` })
      .where("id", "=", id)
      .execute();
  const boundTo = async (subject: string) => (await findBySubject(portal.db, { issuer: ISSUER, subject }))?.id;
  const nameOf = async (id: number) =>
    (await portal.db.selectFrom("user").select("externalIdentity").where("id", "=", id).executeTakeFirstOrThrow())
      .externalIdentity;

  test("becomes a winner's who has none, and the loser's again by an undo", async () => {
    const clinicId = await aClinic(portal);
    const [winner, loser] = [await somebody([clinicId]), await somebody([clinicId])];
    await bind(loser.id, "m16");
    const panel = await portal.as(admin, readUserMerge, { picks: `${winner.id}.${loser.id}`, allOf: null });
    expect(panel.users.map(({ isBound }) => isBound)).toEqual([false, true]);
    await merge(winner, [loser]);
    await moveAll();
    expect([await boundTo("m16"), await nameOf(winner.id), await nameOf(loser.id)]).toEqual([
      winner.id,
      "navn-m16",
      null,
    ]);
    const mails = portal.db.selectFrom("outbox").select("userId").where("kind", "=", "accountChanged");
    expect(await mails.where("userId", "=", winner.id).execute()).toHaveLength(1);
    await undo();
    await moveAll();
    expect([await boundTo("m16"), await nameOf(winner.id), await nameOf(loser.id)]).toEqual([
      loser.id,
      null,
      "navn-m16",
    ]);
  });

  test("stays where the winner has its own, or has got another before the undo", async () => {
    const clinicId = await aClinic(portal);
    const [winner, loser] = [await somebody([clinicId]), await somebody([clinicId])];
    await bind(winner.id, "own");
    await bind(loser.id, "left");
    await merge(winner, [loser]);
    await moveAll();
    expect([await boundTo("own"), await boundTo("left")]).toEqual([winner.id, loser.id]);

    const [other, lost] = [await somebody([clinicId]), await somebody([clinicId])];
    await bind(lost.id, "moved");
    await merge(other, [lost]);
    await moveAll();
    await portal.db.transaction().execute((tx) => releaseSubject(tx as never, other.id, portal.clock.now()));
    await bind(other.id, "newer");
    await undo();
    await moveAll();
    expect([await boundTo("newer"), await boundTo("moved")]).toEqual([other.id, undefined]);
  });
});
