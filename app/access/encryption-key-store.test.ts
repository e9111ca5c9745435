import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { rotateKeys } from "~/cli/rotate-keys.server";
import { openPortal } from "~/open-portal.server";
import { aClinic, aPerson } from "../../tests/factories/people";
import { aReferral } from "../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { encryptedColumns } from "./encryption-key-store.server";

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
    (await portal.db.selectFrom("encryption_key").select("key_id").execute()).map((row) => row.key_id);

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
      columns.filter((column) => column.name.endsWith("_encrypted")).map((column) => `${name}.${column.name}`),
    );
    expect(encryptedColumns.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(named.sort());
  });
});
