import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { inTransaction, insertUnlessThere, isDuplicate, type Tx } from "~db/connection.server";
import { StoreFull } from "~/gateways/file-store/port";
import { toMoment } from "~/text/dates";
import { aPerson } from "../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { whileWritesAreLocked } from "../../tests/support/write-lock";
import type { Actor, Person, Role } from "./actor";
import { change, execute, external, type InputReader, lookUp, plainInput, read } from "./operation.server";
import type { Site } from "./caller";
import type { Permission } from "./permissions";
import { Refusal } from "./refusal";

const roles: Role[] = ["Admin", "Surgeon", "Secretary", "Dentist Secretary", "Dentist"];
const anonymous: Actor = { kind: "anonymous" };

forEachDatabase("operations", (dialect) => {
  let portal: TestPortal;
  const people = new Map<Role, Person>();
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    for (const role of roles) people.set(role, await aPerson(portal, { role }));
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.audit.flush();
    for (const table of ["audit_event", "audit_referral", "idempotency", "setting"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const reads = (permission: Permission) =>
    read({ name: "test.read", permission, input: z.object({}), run: async () => ({ answered: true }) });
  const person = (role: Role) => people.get(role)!;
  const as = (actor: Actor, permission: Permission, site: Site = "inside") =>
    portal.as(actor, reads(permission), {}, { site });
  const setting = (name: string) => ({
    name,
    value: "x",
    modified_at: toMoment(portal.clock.now()),
    modifier_id: null,
  });
  const events = () => portal.db.selectFrom("audit_event").selectAll().orderBy("id").execute();

  describe("authorisation", () => {
    test("checks the permission before it parses the input", async () => {
      let isRead = false;
      const reader: InputReader = (schema) => {
        isRead = true;
        return plainInput({})(schema);
      };
      const caller = { site: "inside" as const, address: "", sessionId: null };
      await expect(execute(portal, { ...caller, actor: anonymous }, reads("signedIn"), reader)).rejects.toMatchObject({
        name: "notSignedIn",
      });
      await expect(
        execute(portal, { ...caller, actor: person("Dentist") }, reads("referral.setStatus"), reader),
      ).rejects.toMatchObject({ name: "notAllowed" });
      expect(isRead).toBe(false);
      await execute(portal, { ...caller, actor: person("Admin") }, reads("referral.setStatus"), reader);
      expect(isRead).toBe(true);
    });

    test("lets an anonymous caller run public operations only", async () => {
      await expect(as(anonymous, "public")).resolves.toEqual({ answered: true });
      await expect(as(anonymous, "signedIn")).rejects.toMatchObject({ name: "notSignedIn" });
      await expect(as(anonymous, "referral.read")).rejects.toMatchObject({ name: "notSignedIn" });
      await expect(as(anonymous, "system")).rejects.toMatchObject({ name: "notSignedIn" });
    });

    test("lets a user without roles run public operations only, on any site", async () => {
      const nobody = { ...person("Dentist"), roles: [] };
      for (const permission of ["signedIn", "account.manage", "referral.read", "referral.write", "system"] as const) {
        for (const site of ["inside", "local", "public", "staff"] as const)
          await expect(as(nobody, permission, site)).rejects.toMatchObject({ name: "notAllowed" });
      }
      await expect(as(nobody, "public")).resolves.toEqual({ answered: true });
    });

    test("lets the system run system operations only", async () => {
      const system: Actor = { kind: "system", job: "test" };
      await expect(as(system, "system")).resolves.toEqual({ answered: true });
      for (const permission of ["signedIn", "referral.read", "referral.editSent", "referral.export"] as const)
        await expect(as(system, permission)).rejects.toMatchObject({ name: "notAllowed" });
    });

    test.each(roles)("%s: only staff have staff permissions, and no person has the system's", async (role) => {
      const isStaff = role === "Admin" || role === "Surgeon";
      for (const permission of [
        "referral.setStatus",
        "referral.editSent",
        "referral.chooseVisitType",
        "referral.readProvenance",
        "referral.regeneratePdf",
      ] as const) {
        const asked = as(person(role), permission);
        if (isStaff) await expect(asked).resolves.toEqual({ answered: true });
        else await expect(asked).rejects.toMatchObject({ name: "notAllowed" });
      }
      await expect(as(person(role), "system")).rejects.toMatchObject({ name: "notAllowed" });
      await expect(as(person(role), "referral.read")).resolves.toEqual({ answered: true });
      const choosing = as(person(role), "referral.chooseReferrer");
      if (role === "Dentist") await expect(choosing).rejects.toMatchObject({ name: "notAllowed" });
      else await expect(choosing).resolves.toEqual({ answered: true });
    });

    test.each(roles)("%s: allowed on their own site and locally, not on the other site", async (role) => {
      const own: Site = role === "Admin" || role === "Surgeon" ? "staff" : "public";
      const other: Site = own === "staff" ? "public" : "staff";
      await expect(as(person(role), "signedIn", own)).resolves.toEqual({ answered: true });
      await expect(as(person(role), "signedIn", "local")).resolves.toEqual({ answered: true });
      await expect(as(person(role), "signedIn", other)).rejects.toMatchObject({ name: "notAllowed" });
      await expect(as(person(role), "referral.read", other)).rejects.toMatchObject({ name: "notAllowed" });
      await expect(as(person(role), "public", other)).resolves.toEqual({ answered: true });
    });

    test("until the conditions are accepted, allows only what every signed-in person may do", async () => {
      const waiting = { ...person("Dentist"), mustAcceptConditions: true };
      await expect(as(waiting, "referral.read")).rejects.toMatchObject({ name: "conditionsNotAccepted" });
      await expect(as(waiting, "signedIn")).resolves.toEqual({ answered: true });
      await expect(as(waiting, "referral.setStatus")).rejects.toMatchObject({ name: "notAllowed" });
    });

    test("a patient's link is not a signed-in person", async () => {
      const link: Actor = {
        kind: "patientToken",
        referralId: 1,
        purpose: "radiographLink",
        letterNumber: null,
        operationMoment: null,
      };
      await expect(as(link, "signedIn")).rejects.toMatchObject({ name: "notAllowed" });
      await expect(as(link, "referral.read")).rejects.toMatchObject({ name: "notAllowed" });
    });

    test("development pages do not exist in production", async () => {
      await expect(as(anonymous, "development")).resolves.toEqual({ answered: true });
      const production = { ...portal, config: { ...portal.config, production: true } };
      const caller = { actor: person("Admin"), site: "staff" as const, address: "", sessionId: null };
      await expect(execute(production, caller, reads("development"), plainInput({}))).rejects.toMatchObject({
        name: "notInScope",
      });
    });

    test("input that does not fit is refused", async () => {
      const strict = read({
        name: "test.strict",
        permission: "public",
        input: z.object({ id: z.number() }),
        run: async () => ({}),
      });
      await expect(portal.as(anonymous, strict, { id: "x" })).rejects.toMatchObject({ name: "invalid" });
    });
  });

  describe("idempotent operations", () => {
    const save = change({
      name: "test.save",
      permission: "signedIn",
      idempotent: true,
      input: z.object({ formKey: z.string(), name: z.string() }),
      async run({ tx }, { name }) {
        const row = await tx
          .insertInto("portal_text")
          .values({
            kind: "infoPopup",
            version: Math.ceil(Math.random() * 1e9),
            body: name,
            button_text: "",
            created_at: toMoment(portal.clock.now()),
          })
          .executeTakeFirstOrThrow();
        return { to: `/gemt/${row.insertId}` };
      },
    });
    const saved = async (name: string) =>
      (await portal.db.selectFrom("portal_text").select("id").where("body", "=", name).execute()).length;

    test("two submissions at the same time run once and redirect to the same page", async () => {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => portal.as(person("Dentist"), save, { formKey: "k1", name: "samtidig" })),
      );
      expect(await saved("samtidig")).toBe(1);
      expect(answers[0]!.to).toMatch(/^\/gemt\/\d+$/);
      expect(new Set(answers.map(({ to }) => to)).size).toBe(1);
      expect((await portal.as(person("Dentist"), save, { formKey: "k1", name: "samtidig" })).to).toBe(answers[0]!.to);
    });

    test("the same key of another person, or no key, counts as another form", async () => {
      await portal.as(person("Dentist"), save, { formKey: "k2", name: "egen" });
      await portal.as(person("Secretary"), save, { formKey: "k2", name: "egen" });
      await portal.as(person("Dentist"), save, { formKey: "", name: "egen" });
      await portal.as(person("Dentist"), save, { formKey: "", name: "egen" });
      expect(await saved("egen")).toBe(4);
    });

    test("a refused form can be submitted again", async () => {
      let refuses = true;
      const refusing = change({
        name: "test.refusing",
        permission: "signedIn",
        idempotent: true,
        input: z.object({ formKey: z.string() }),
        async run() {
          if (refuses) throw new Refusal("conflict");
          return {};
        },
      });
      await expect(portal.as(person("Dentist"), refusing, { formKey: "k3" })).rejects.toMatchObject({
        name: "conflict",
      });
      refuses = false;
      expect(await portal.as(person("Dentist"), refusing, { formKey: "k3" })).toEqual({});
      expect(await portal.as(person("Dentist"), refusing, { formKey: "k3" })).toEqual({});
      expect(await events()).toHaveLength(1);
    });
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
          actor_kind: "person",
          actor_id: person("Dentist").id,
          operation: "test.write",
          outcome: "done",
          detail: "æøå",
        },
      ]);
      expect(
        (await portal.db.selectFrom("audit_referral").select("referral_id").execute())
          .map((row) => row.referral_id)
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
        { operation: "test.list", outcome: "seen", actor_id: person("Surgeon").id },
      ]);
      expect(
        (await portal.db.selectFrom("audit_referral").select("referral_id").orderBy("referral_id").execute()).map(
          (row) => row.referral_id,
        ),
      ).toEqual(ids);
    });

    test("a refusal records who, from where, which referral and patient, and a flood of refusals is counted", async () => {
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
        actor_id: person("Dentist").id,
        role: "Dentist",
        site: "inside",
        purpose: "treatment",
        outcome: "refused",
        detail: "notInScope",
        cpr_hash: secrets.lookup("cpr", "251248-9996"),
        address_hash: secrets.lookup("audit", "203.0.113.7"),
      });
      expect(rows[30]).toMatchObject({ detail: "notInScope, 10 more before" });
      expect(await portal.db.selectFrom("audit_referral").select("referral_id").distinct().execute()).toEqual([
        { referral_id: 77 },
      ]);
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
      expect(await portal.db.selectFrom("audit_referral").select("referral_id").execute()).toEqual([
        { referral_id: 1 },
        { referral_id: 2 },
      ]);
    });
  });

  describe("after the commit", () => {
    const calls: string[] = [];
    beforeEach(() => void calls.splice(0));
    const save = (name: string, more: (tx: Tx, turn: number) => Promise<void> | void) => {
      let turn = 0;
      return change({
        name: "test.after",
        permission: "public",
        input: z.object({}),
        async run({ tx, afterCommit }) {
          turn += 1;
          const mine = turn;
          await tx.insertInto("setting").values(setting(name)).execute();
          afterCommit(
            async () =>
              void calls.push(
                `${mine}: ${(await portal.db.selectFrom("setting").select("name").where("name", "=", name).execute()).length}`,
              ),
          );
          afterCommit(() => void calls.push(`${mine}: last`));
          await more(tx, mine);
          return {};
        },
      });
    };

    test("runs in order, before the answer, and sees what was committed", async () => {
      await portal.as(
        anonymous,
        save("gemt", () => {}),
        {},
      );
      expect(calls).toEqual(["1: 1", "1: last"]);
    });

    test("nothing runs after a rollback", async () => {
      const refusing = save("rullet", () => {
        throw new Refusal("conflict");
      });
      await expect(portal.as(anonymous, refusing, {})).rejects.toMatchObject({ name: "conflict" });
      expect(calls).toEqual([]);
    });

    test("a retry after a deadlock does not run the callbacks of the first attempt", async () => {
      const twice = save("igen", (_tx, turn) => {
        if (turn === 1)
          throw Object.assign(
            new Error("deadlock"),
            dialect === "mariadb" ? { code: "ER_LOCK_DEADLOCK", errno: 1213 } : { code: "SQLITE_BUSY" },
          );
      });
      await portal.as(anonymous, twice, {});
      expect(calls).toEqual(["2: 1", "2: last"]);
    });

    test("logs a failing callback, which neither undoes the change nor stops the others", async () => {
      const failing = change({
        name: "test.failing",
        permission: "public",
        input: z.object({}),
        async run({ tx, afterCommit }) {
          await tx.insertInto("setting").values(setting("trods")).execute();
          afterCommit(() => Promise.reject(new Error("the worker is away")));
          afterCommit(() => void calls.push("rest"));
          return { to: "/videre" };
        },
      });
      expect(await portal.as(anonymous, failing, {})).toEqual({ to: "/videre" });
      expect(calls).toEqual(["rest"]);
      expect(await portal.db.selectFrom("setting").select("name").execute()).toEqual([{ name: "trods" }]);
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
      cpr_hash: portal.secrets.lookup("cpr", "251248-9996"),
    };
    expect(await events()).toMatchObject([row, row]);
    expect(
      (await portal.db.selectFrom("audit_referral").select("referral_id").execute()).map((each) => each.referral_id),
    ).toEqual([5, 5]);
  });

  test("audits each batch of a download as it is sent, with the operation's purpose and site", async () => {
    const download = read({
      name: "test.download",
      permission: "referral.export",
      input: z.object({}),
      run: async ({ auditRead }) => ({ next: (ids: number[]) => auditRead(ids) }),
    });
    const { next } = await portal.as(person("Admin"), download, {}, { site: "staff" });
    for (const ids of [[1, 2], [3]]) next(ids);
    await portal.audit.flush();
    const row = { operation: "test.download", outcome: "seen", purpose: "export", site: "staff" };
    expect(await events()).toMatchObject([row, row]);
  });

  describe("errors", () => {
    test("distinguishes a unique violation from other errors", async () => {
      const insert = () => portal.db.insertInto("setting").values(setting("dobbelt")).execute();
      await insert();
      expect(isDuplicate(await insert().catch((error: unknown) => error))).toBe(true);
      const missing = { ...setting("mangler"), value: null } as unknown as ReturnType<typeof setting>;
      const rejection: unknown = await portal.db
        .insertInto("setting")
        .values(missing)
        .execute()
        .catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(Error);
      expect(isDuplicate(rejection)).toBe(false);
      expect(isDuplicate(new Refusal("conflict"))).toBe(false);
    });

    test("insertUnlessThere answers whether it inserted", async () => {
      expect(await inTransaction(portal.db, (tx) => insertUnlessThere(tx, "setting", setting("ny")))).toBe(true);
      expect(await inTransaction(portal.db, (tx) => insertUnlessThere(tx, "setting", setting("ny")))).toBe(false);
    });

    test("insertUnlessThere leaves those that are there, and cuts nothing that does not fit", async () => {
      const rows = [setting("flere-1"), setting("flere-2")];
      await insertUnlessThere(portal.db, "setting", rows[0]!);
      expect(await insertUnlessThere(portal.db, "setting", rows)).toBe(true);
      expect(await insertUnlessThere(portal.db, "setting", rows)).toBe(false);
      const missing = { ...setting("mangler-stadig"), value: null } as unknown as ReturnType<typeof setting>;
      const tooLong = setting("lang".repeat(500));
      if (dialect === "mariadb")
        for (const row of [tooLong, missing])
          await expect(insertUnlessThere(portal.db, "setting", row)).rejects.toThrow(/too long|cannot be null/i);
    });

    test("a full database is refused as such, and nothing is half written", async () => {
      const fill = change({
        name: "test.fill",
        permission: "public",
        input: z.object({}),
        async run({ tx }) {
          await tx.insertInto("setting").values(setting("halv")).execute();
          if (dialect === "mariadb")
            await sql`insert into tiny select repeat('x', 250) from seq_1_to_20000`.execute(tx);
          else
            for (let turn = 0; turn < 100; turn += 1)
              await tx
                .insertInto("setting")
                .values({ ...setting(`fyld${turn}`), value: "x".repeat(60_000) })
                .execute();
          return {};
        },
      });
      if (dialect === "mariadb") {
        await sql`set global max_heap_table_size = 16384`.execute(portal.db);
        const small = await portal.reopened();
        await sql`create table tiny (text char(250)) engine=memory max_rows=10`.execute(small.db);
        await sql`set global max_heap_table_size = default`.execute(portal.db);
        await small.close();
      } else {
        const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(portal.db);
        await sql.raw(`pragma max_page_count = ${rows[0]!.page_count + 20}`).execute(portal.db);
      }
      await expect(portal.as(anonymous, fill, {})).rejects.toMatchObject({ name: "storeFull" });
      expect(await portal.db.selectFrom("setting").select("name").execute()).toEqual([]);
      if (dialect === "sqlite") await sql`pragma max_page_count = 1000000`.execute(portal.db);
    });

    test("a full file store is refused with the same text", async () => {
      const upload = external({
        name: "test.upload",
        permission: "public",
        input: z.object({}),
        async prepare() {
          throw new StoreFull();
        },
        run: async () => ({}),
      });
      await expect(portal.as(anonymous, upload, {})).rejects.toMatchObject({ name: "storeFull" });
    });
  });
});
