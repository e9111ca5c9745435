import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { toMoment } from "~/text/dates";
import { anonymous, operationPortal } from "../../tests/support/portals/operation-portal";
import { forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { whileWritesAreLocked } from "../../tests/support/write-lock";
import { change, lookUp, read } from "./operation.server";
import { Refusal } from "./refusal";

forEachDatabase("operations", (dialect) => {
  let portal: TestPortal;
  const { person, setting, events } = operationPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("the audit", () => {
    const write = change({
      name: "test.write",
      permission: "signedIn",
      input: z.object({ breaks: z.boolean() }),
      async run({ tx, auditChange }, { breaks }) {
        await tx.insertInto("setting").values(setting("skrevet")).execute();
        auditChange([7, 8, 7], "æøå");
        if (breaks) throw new Refusal("conflict");
        return {};
      },
    });
    const list = read({
      name: "test.list",
      permission: "signedIn",
      input: z.object({ ids: z.array(z.number()) }),
      async run({ auditRead }, { ids }) {
        auditRead(ids);
        return {};
      },
    });

    test("writes the row in the transaction of the change", async () => {
      await portal.as(person("Dentist"), write, { breaks: false });
      expect(await events()).toMatchObject([
        {
          at: toMoment(portal.clock.now()),
          actorKind: "person",
          actorId: person("Dentist").id,
          operation: "test.write",
          outcome: "done",
          detail: "æøå",
        },
      ]);
      expect(
        (await portal.db.selectFrom("auditReferral").select("referralId").execute())
          .map((row) => row.referralId)
          .sort(),
      ).toEqual([7, 8]);
    });

    test("rolls the row back with the change", async () => {
      await expect(portal.as(person("Dentist"), write, { breaks: true })).rejects.toMatchObject({ name: "conflict" });
      expect(await events()).toEqual([]);
      expect(await portal.db.selectFrom("setting").select("name").execute()).toEqual([]);
    });

    test("writes what was read in a batch afterwards, each referral once", async () => {
      const ids = Array.from({ length: 450 }, (_, index) => index + 1);
      await portal.as(person("Surgeon"), list, { ids: [...ids, 1, 2] });
      await portal.as(person("Surgeon"), list, { ids: [] });
      await portal.audit.flush();
      expect(await events()).toMatchObject([
        { operation: "test.list", outcome: "seen", actorId: person("Surgeon").id },
      ]);
      expect(
        (await portal.db.selectFrom("auditReferral").select("referralId").orderBy("referralId").execute()).map(
          (row) => row.referralId,
        ),
      ).toEqual(ids);
    });

    test("a refusal records who, from where and about whom; floods are counted", async () => {
      const refusing = read({
        name: "test.refuse",
        permission: "referral.read",
        input: z.object({ referralId: z.number() }),
        async run({ concerns }) {
          concerns({ cpr: "251248-9996" });
          throw new Refusal("notInScope");
        },
      });
      const ask = () =>
        portal.as(person("Dentist"), refusing, { referralId: 77 }).catch((error: Refusal) => error.name);
      for (let turn = 0; turn < 40; turn += 1) expect(await ask()).toBe("notInScope");
      portal.clock.advance({ minutes: 2 });
      await ask();
      await expect(portal.as(person("Dentist"), write, { breaks: true })).rejects.toMatchObject({ name: "conflict" });
      await expect(portal.as(anonymous, list, { ids: [1] })).rejects.toMatchObject({ name: "notSignedIn" });
      await portal.audit.flush();
      const rows = await events();
      expect(rows).toHaveLength(31);
      const { secrets } = portal;
      expect(rows[0]).toMatchObject({
        actorId: person("Dentist").id,
        role: "Dentist",
        site: "inside",
        purpose: "treatment",
        outcome: "refused",
        detail: "notInScope",
        cprHash: secrets.lookup("cpr", "251248-9996"),
        addressHash: secrets.lookup("audit", "203.0.113.7"),
      });
      expect(rows[30]).toMatchObject({ detail: "notInScope, 10 more before" });
      expect(await portal.db.selectFrom("auditReferral").select("referralId").distinct().execute()).toEqual([
        { referralId: 77 },
      ]);
    });

    test("refusals from many addresses of one IPv6 line are one flood", async () => {
      for (let n = 0; n < 40; n += 1)
        portal.audit.refused({
          actor: anonymous,
          caller: { site: "outside", address: `2001:db8:7:${n.toString(16)}::1` },
          permission: "patient.caseLink",
          operation: "caseLink",
          outcome: "refused",
          referralIds: [],
          detail: "linkExpired",
        });
      await portal.audit.flush();
      expect(await events()).toHaveLength(30);
    });

    test("flush waits for the batch that is being written", async () => {
      for (let turn = 0; turn < 20; turn += 1) await portal.as(person("Surgeon"), list, { ids: [turn + 1] });
      void portal.audit.flush();
      await portal.audit.flush();
      expect(await events()).toHaveLength(20);
    });

    test("the next flush writes what a failed flush could not", async () => {
      await sql`alter table audit_referral rename to audit_referral_gone`.execute(portal.db);
      await portal.as(person("Surgeon"), list, { ids: [1] });
      await expect(portal.audit.flush()).rejects.toThrow(/audit_referral/);
      await sql`alter table audit_referral_gone rename to audit_referral`.execute(portal.db);
      await portal.as(person("Surgeon"), list, { ids: [2] });
      await portal.audit.flush();
      expect(await portal.db.selectFrom("auditReferral").select("referralId").execute()).toEqual([
        { referralId: 1 },
        { referralId: 2 },
      ]);
    });
  });

  test("a look-up takes no write lock, and its audit row is written in the next batch", async () => {
    const search = lookUp({
      name: "test.search",
      permission: "referral.read",
      input: z.object({ cpr: z.string() }),
      async run({ db, concerns, auditRead }, { cpr }) {
        concerns({ cpr });
        const rows = await db.selectFrom("setting").select("name").execute();
        auditRead([5], "one row");
        return { data: { rows: rows.length } };
      },
    });
    await whileWritesAreLocked(portal, dialect, async () => {
      expect(await portal.as(person("Dentist"), search, { cpr: "251248-9996" })).toEqual({ data: { rows: 0 } });
      expect(await portal.as(person("Dentist"), search, { cpr: "251248-9996" })).toEqual({ data: { rows: 0 } });
    });
    await portal.audit.flush();
    const row = {
      operation: "test.search",
      outcome: "seen",
      detail: "one row",
      purpose: "treatment",
      cprHash: portal.secrets.lookup("cpr", "251248-9996"),
    };
    expect(await events()).toMatchObject([row, row]);
    expect(
      (await portal.db.selectFrom("auditReferral").select("referralId").execute()).map((each) => each.referralId),
    ).toEqual([5, 5]);
  });

  test("audits each batch of a download as it is sent, with purpose and site", async () => {
    const download = read({
      name: "test.download",
      permission: "referral.export",
      run: async ({ auditRead }) => ({ next: (ids: number[]) => auditRead(ids) }),
    });
    const { next } = await portal.as(person("Admin"), download, {}, { site: "staff" });
    for (const ids of [[1, 2], [3]]) next(ids);
    await portal.audit.flush();
    const row = { operation: "test.download", outcome: "seen", purpose: "export", site: "staff" };
    expect(await events()).toMatchObject([row, row]);
  });
});
