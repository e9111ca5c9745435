import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { codeName } from "~db/names.server";
import { rotateKeys } from "~/cli/rotate-keys.server";
import { openPortal } from "~/open-portal.server";
import { aClinic, aPerson } from "../../tests/factories/people";
import { aReferral } from "../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { encryptedColumns } from "./encryption-key-store.server";
import { rowContext } from "./secrets.server";

const OTHER = "another-secret-that-is-long-enough-for-the-rule";

forEachDatabase("a start with another secret", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());

  const openWith = (appSecret: string, options: { previous?: string; acceptUnknownKeys?: boolean } = {}) =>
    openPortal(
      { ...portal.config, appSecret, appSecretPrevious: options.previous ?? null },
      {
        clock: portal.clock,
        readerProgram: "",
        logLevel: "silent",
        acceptUnknownKeys: options.acceptUnknownKeys ?? false,
      },
    );
  const keyIds = async () =>
    (await portal.db.selectFrom("encryptionKey").select("keyId").execute()).map((row) => row.keyId);

  test("is allowed while nothing is encrypted", async () => {
    await (await openWith(OTHER)).close();
    await (await openWith(portal.config.appSecret)).close();
    expect(await keyIds()).toEqual([portal.secrets.keyIds[0]]);
  });

  test("is refused once something is encrypted, unless the old secret is named", async () => {
    await aReferral(portal, await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] }));
    await expect(openWith(OTHER)).rejects.toThrow(
      /^APP_SECRET: the database holds text that was encrypted with another secret/,
    );
    expect(await keyIds()).toEqual([portal.secrets.keyIds[0]]);
    await (await openWith(OTHER, { previous: portal.config.appSecret })).close();

    const consoleLog = vi.spyOn(console, "log").mockImplementation(() => {});
    const without = await openWith(OTHER, { acceptUnknownKeys: true });
    await rotateKeys(without, []);
    await expect(openWith(OTHER)).rejects.toThrow("APP_SECRET");
    await rotateKeys(without, ["--give-up-unreadable"]);
    await without.close();
    consoleLog.mockRestore();
    await (await openWith(OTHER)).close();
  });

  test("checks every encrypted column", async () => {
    const tables = await portal.db.introspection.getTables();
    const named = tables.flatMap(({ name, columns }) =>
      columns
        .map((column) => `${codeName(name)}.${codeName(column.name)}`)
        .filter((column) => column.endsWith("Encrypted")),
    );
    expect(encryptedColumns.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(named.sort());
  });

  test("a ciphertext is bound to the names in the database", async () => {
    const tables = await portal.db.introspection.getTables();
    const contexts = tables.flatMap(({ name, columns }) =>
      columns.flatMap((column) => (column.name.endsWith("_encrypted") ? `${name}.${column.name}:one` : [])),
    );
    const bound = encryptedColumns.map(({ table, column }) => rowContext(table, column, "one"));
    // The table was `typed_input` when its first rows were written.
    expect(bound.sort()).toEqual(contexts.map((one) => one.replace(/^autosave/, "typed_input")).sort());
  });
});
