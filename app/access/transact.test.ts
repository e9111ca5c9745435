import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import { anonymous, operationPortal } from "../../tests/support/portals/operation-portal";
import { forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import type { CommandResult } from "./caller";
import { change } from "./operation.server";
import { Refusal } from "./refusal";

forEachDatabase("operations", (dialect) => {
  let portal: TestPortal;
  const { person, setting, events } = operationPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("idempotent operations", () => {
    const save = change({
      name: "test.save",
      permission: "signedIn",
      idempotent: true,
      input: z.object({ formKey: z.string(), name: z.string() }),
      async run({ tx }, { name }) {
        const row = await tx
          .insertInto("portalText")
          .values({
            kind: "infoPopup",
            version: Math.ceil(Math.random() * 1e9),
            body: name,
            buttonText: "",
            createdAt: toMoment(portal.clock.now()),
          })
          .executeTakeFirstOrThrow();
        return { to: `/gemt/${row.insertId}` };
      },
    });
    const saved = async (name: string) =>
      (await portal.db.selectFrom("portalText").select("id").where("body", "=", name).execute()).length;

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

    test("the same key with other words counts as another form, and each is done once", async () => {
      for (const name of ["før", "efter", "før", "efter"])
        await portal.as(person("Dentist"), save, { formKey: "k4", name });
      expect([await saved("før"), await saved("efter")]).toEqual([1, 1]);
    });

    test("what is kept with the answer is part of the change, also when it is sent twice", async () => {
      const kept: string[] = [];
      const beforeCommit = async (_: Tx, { to }: CommandResult) => void kept.push(String(to));
      const input = { formKey: "k5", name: "med besked" };
      const { to } = await portal.as(person("Dentist"), save, input, { beforeCommit });
      await portal.as(person("Dentist"), save, input, { beforeCommit });
      expect(kept).toEqual([to, to]);
      const fails = () => Promise.reject(new Error("the session cannot be written"));
      const other = { formKey: "k6", name: "uden besked" };
      await expect(portal.as(person("Dentist"), save, other, { beforeCommit: fails })).rejects.toThrow("the session");
      expect([await saved("med besked"), await saved("uden besked")]).toEqual([1, 0]);
    });

    test("sent twice it gets the same message, which names nobody in the database", async () => {
      const flash = { tone: "success" as const, text: "Henvisningen af Jens Hansen er sendt." };
      const saying = change({
        name: "test.saying",
        permission: "signedIn",
        idempotent: true,
        input: z.object({ formKey: z.string() }),
        run: async () => ({ to: "/gemt", flash }),
      });
      for (const time of ["first", "second"])
        expect(await portal.as(person("Dentist"), saying, { formKey: "k7" }), time).toEqual({ to: "/gemt", flash });
      const rows = await portal.db.selectFrom("idempotency").select("answer").execute();
      expect(JSON.stringify(rows)).toContain("/gemt");
      expect(JSON.stringify(rows)).not.toContain("Jens Hansen");
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
});
