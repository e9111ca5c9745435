import { type Kysely, Migrator, sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aPerson } from "../tests/factories/people";
import { aReferral } from "../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../tests/support/test-portal";
import { migrate } from "./migrate.server";
import { migrations } from "./migrations";

/** Whole databases are made and dropped again. */
vi.setConfig({ testTimeout: 180_000 });

forEachDatabase("migrations", (dialect) => {
  let portal: TestPortal;
  beforeEach(async () => {
    portal = await createTestPortal(dialect);
  });
  afterEach(() => portal.close());

  async function shape() {
    const tables = await portal.db.introspection.getTables({ withInternalKyselyTables: false });
    const columns = tables.map(
      ({ name, columns: all }) =>
        [
          name,
          all.map((column) => `${column.name} ${column.dataType}${column.isNullable ? "" : " not null"}`).sort(),
        ] as const,
    );
    const indexes =
      dialect === "mariadb"
        ? await sql<{
            name: string;
          }>`select distinct concat(table_name, '.', index_name) as name from information_schema.statistics where table_schema = database() order by 1`.execute(
            portal.db,
          )
        : await sql<{
            name: string;
          }>`select name from sqlite_master where type = 'index' and name not like 'sqlite_%' order by 1`.execute(
            portal.db,
          );
    return {
      columns: columns.toSorted(([a], [b]) => a.localeCompare(b)),
      indexes: indexes.rows.map(({ name }) => name).filter((name) => !name.startsWith("kysely_")),
    };
  }
  const done = async () =>
    (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(portal.db)).rows.map(
      ({ name }) => name,
    );

  test("all have run, and running them again changes nothing", async () => {
    expect(await done()).toEqual(Object.keys(migrations));
    const before = await shape();
    expect(before.columns.length).toBeGreaterThan(15);
    expect(before.indexes).toEqual(expect.arrayContaining([expect.stringContaining("outbox_by_lane")]));
    await migrate(portal.db);
    expect(await shape()).toEqual(before);
  });

  test("a former release starts on a database that a later one has brought further, and not on one with gaps", async () => {
    const note = (name: string) =>
      sql`insert into kysely_migration (name, timestamp) values (${name}, '2999-01-01T00:00:00.000Z')`.execute(
        portal.db,
      );
    await note("2999_01_01_0000_later");
    await migrate(portal.db);
    expect(await done()).toContain("2999_01_01_0000_later");
    await note("2026_11_21_0905_nobodys");
    await expect(migrate(portal.db)).rejects.toThrow("2026_11_21_0905_nobodys");
  });

  test("names with folded letters are found by their base letters after migrating", async () => {
    const referrer = await aPerson(portal, { role: "Dentist" });
    const id = await aReferral(portal, referrer, { firstName: "Gül", lastName: "Yılmaz" });
    // As they were written before.
    await portal.db
      .updateTable("user")
      .set({
        first_name: "Łucja",
        last_name: "Đorđević",
        name_norm: "łucja đorđević",
        name_sort: "łucja đorđević",
        user_name_norm: "łucja",
      })
      .where("id", "=", referrer.id)
      .execute();
    await portal.db.updateTable("referral").set({ name_sort: "gyl yılmaz" }).where("id", "=", id).execute();
    await portal.db.updateTable("referral_name_token").set({ token: "yılmaz" }).where("token", "=", "yilmaz").execute();
    await migrations["2026_11_22_0700_folded_letters"]!.up(portal.db);
    expect(
      await portal.db.selectFrom("user").select(["name_norm"]).where("id", "=", referrer.id).executeTakeFirst(),
    ).toEqual({ name_norm: "lucja dordevic" });
    expect(await portal.db.selectFrom("referral").select("name_sort").where("id", "=", id).executeTakeFirst()).toEqual({
      name_sort: "gyl yilmaz",
    });
    expect(
      (
        await portal.db
          .selectFrom("referral_name_token")
          .select("token")
          .where("referral_id", "=", id)
          .orderBy("token")
          .execute()
      ).map(({ token }) => token),
    ).toEqual(["gul", "yilmaz"]);
  });

  test("names with invisible signs and addresses in punycode are found after migrating", async () => {
    const referrer = await aPerson(portal, { role: "Dentist" });
    const id = await aReferral(portal, referrer, {
      firstName: "Bo",
      lastName: "Lund",
      email: "bo@lund.example",
      emailConfirm: "bo@lund.example",
    });
    await portal.db
      .updateTable("user")
      .set({
        first_name: "Je\u200bns",
        name_norm: "je\u200bns",
        name_sort: "je\u200bns",
        email: "jens@xn--svrnet-qua6l.example",
      })
      .where("id", "=", referrer.id)
      .execute();
    await portal.db
      .updateTable("referral")
      .set({ last_name: "Lu\u00adnd", email: "Bo@xn--svrnet-qua6l.example", email_norm: "bo@xn--svrnet-qua6l.example" })
      .where("id", "=", id)
      .execute();
    await migrations["2026_11_26_1910_unseen_signs"]!.up(portal.db);
    expect(
      await portal.db
        .selectFrom("user")
        .select(["first_name", "email", "email_key"])
        .where("id", "=", referrer.id)
        .executeTakeFirst(),
    ).toEqual({ first_name: "Jens", email: "jens@søværnet.example", email_key: "jens@søværnet.example" });
    expect(
      await portal.db
        .selectFrom("user_search_token")
        .select("token")
        .where("user_id", "=", referrer.id)
        .where("token", "=", "jens")
        .executeTakeFirst(),
    ).toBeDefined();
    expect(
      await portal.db
        .selectFrom("referral")
        .select(["last_name", "email", "email_norm"])
        .where("id", "=", id)
        .executeTakeFirst(),
    ).toEqual({ last_name: "Lund", email: "Bo@søværnet.example", email_norm: "bo@søværnet.example" });
  });

  test("messages whose reason was only in words get it after migrating", async () => {
    const worded = [
      ["print", "failed", "Patienten er død ifølge CPR-registret", "dead"],
      ["sms", "queued", "CPR-registret svarer ikke", "registerSilent"],
      ["sms", "failed", "GatewayAPI: UNDELIVERABLE", "unreachable"],
      ["sms", "failed", "GatewayAPI 401: Unauthorized", "loginRefused"],
      ["email", "failed", "EENVELOPE 550", "noMailbox"],
      ["email", "failed", "Kom retur: postkassen er fuld (552 5.2.2)", "mailboxFull"],
      ["email", "failed", "Kom retur: den kunne ikke afleveres", "returned"],
      ["archive", "failed", "Tilbageholdt: filen nævner en anden patient", "otherPatient"],
      ["archive", "failed", "Arkivet har ikke plads (A700)", "archiveFull"],
      ["edi", "failed", "SFTP ECONNREFUSED: connect", "noConnection"],
      ["edi", "unknown", "Modtageren har ikke kvitteret", "noReport"],
      ["edi", "failed", "Modtageren kender ikke lokationsnummeret", null],
      ["sms", "sent", "Leveret", null],
    ] as const;
    for (const [channel, outcome, detail] of worded)
      await sql`insert into outbox (channel, kind, recipient_encrypted, content_encrypted, outcome, code, detail, attempts, created_at, not_before)
        values (${channel}, 'callUp', 'to', 'content', ${outcome}, 9, ${detail}, 1, '2026-12-01 09:00:00.000', '2026-12-01 09:00:00.000')`.execute(
        portal.db,
      );
    await migrations["2026_11_25_1400_failure_reason"]!.up(portal.db);
    const rows = await portal.db.selectFrom("outbox").select(["detail", "reason"]).orderBy("id").execute();
    expect(rows).toEqual(worded.map(([, , detail, reason]) => ({ detail, reason })));
    await portal.db.deleteFrom("outbox").execute();
  });

  /** The database as it is before the first start. */
  async function dropAll() {
    const tables = await portal.db.introspection.getTables({ withInternalKyselyTables: true });
    for (const { name } of tables) await sql`drop table ${sql.table(name)}`.execute(portal.db);
  }

  test("every migration can be repeated", async () => {
    const before = await shape();
    await dropAll();
    for (const [index, { up }] of Object.values(migrations).entries()) {
      await up(portal.db);
      if (index === 0)
        await sql`insert into clinic (name, name_sort, name_norm, address, zip, city, phone, email, status, created_at, modified_at) values ('Å', '}', 'aa', '', '', '', '', '', 1, '', '')`.execute(
          portal.db,
        );
      await up(portal.db);
    }
    expect(await shape()).toEqual(before);
    expect(await portal.db.selectFrom("clinic").select("name").execute()).toEqual([{ name: "Å" }]);
  });

  test("messages of every old state keep their outcome, wherever the migration was interrupted", async () => {
    const neutral = "2026_11_22_0930_neutral_outbox";
    const before = ["2026_11_21_0940_outbox", "2026_11_21_1022_messages_with_files", "2026_11_22_0502_outbox_row_key"];
    const old = [
      [0, null, null, "queued", null],
      [0, "EENVELOPE 451", null, "queued", null],
      [1, null, null, "failed", "2026-12-01 09:05:00.000"],
      [2, null, null, "awaiting", null],
      [3, null, "2026-12-01 09:02:00.000", "sent", "2026-12-01 09:02:00.000"],
      ...[4, 5, 6, 7, 8, 10].map((status) => [status, null, null, "failed", "2026-12-01 09:05:00.000"] as const),
      [9, "EENVELOPE 550", null, "failed", "2026-12-01 09:05:00.000"],
      [9, "Ukendt: kontrollér hos modtageren", null, "unknown", "2026-12-01 09:05:00.000"],
    ] as const;
    for (let broken = 1; ; broken += dialect === "mariadb" ? 4 : 1) {
      for (const table of ["outbox_attempt", "outbox"]) await sql`drop table ${sql.table(table)}`.execute(portal.db);
      for (const name of before) await migrations[name]!.up(portal.db);
      for (const [index, [status, text, sentAt]] of old.entries()) {
        await sql`insert into outbox (channel, kind, recipient_encrypted, content_encrypted, status, status_text, attempts, created_at, not_before, sent_at)
          values ('email', ${index % 2 === 0 ? "referralStatus" : "passwordReset"}, 'to', 'content', ${status}, ${text}, 1, '2026-12-01 09:00:00.000', '2026-12-01 09:00:00.000', ${sentAt})`.execute(
          portal.db,
        );
        await sql`insert into outbox_attempt (outbox_id, at, outcome) values (${index + 1}, '2026-12-01 09:05:00.000', 'retry')`.execute(
          portal.db,
        );
      }
      const isWhole = await migrations[neutral]!.up(breaksAt(portal.db, broken)).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe("broken on purpose");
          return false;
        },
      );
      await migrations[neutral]!.up(portal.db);
      const rows = await portal.db
        .selectFrom("outbox")
        .select(["code", "detail", "outcome", "settled_at", "kind"])
        .orderBy("id")
        .execute();
      expect(rows, `broken before statement ${broken}`).toEqual(
        old.map(([status, text, , outcome, settledAt], index) => ({
          code: status,
          detail: outcome === "unknown" ? null : text,
          outcome,
          settled_at: settledAt,
          kind: index % 2 === 0 ? "statusNews" : "passwordReset",
        })),
      );
      if (isWhole) break;
    }
  });

  test("the next start finishes an interrupted migration", async () => {
    const whole = await shape();
    // It breaks at each of its statements in turn.
    const last = "2026_11_21_0940_outbox";
    for (let broken = 1; broken <= 5; broken += 1) {
      await dropAll();
      const migrator = new Migrator({
        db: portal.db,
        provider: {
          getMigrations: async () => ({
            ...migrations,
            [last]: { up: (db) => migrations[last]!.up(breaksAt(db, broken)) },
          }),
        },
      });
      const { error } = await migrator.migrateToLatest();
      expect(error).toMatchObject({ message: "broken on purpose" });
      expect(await done()).not.toContain(last);
      await migrate(portal.db);
      expect(await shape()).toEqual(whole);
      expect(await done()).toContain(last);
    }
  });

  // On SQLite the second one waits for the first one's lock without letting this process go on.
  test.runIf(dialect === "mariadb")("two processes that start together both come up", async () => {
    await dropAll();
    const opened = await Promise.all([portal.reopened(), portal.reopened()]);
    expect(await done()).toEqual(Object.keys(migrations));
    for (const one of opened) await one.close();
  });
});

/** The database as it is until its n-th statement, which fails. */
function breaksAt(db: Kysely<any>, n: number): Kysely<any> {
  let statements = 0;
  return db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      if (statements === n) throw new Error("broken on purpose");
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}
