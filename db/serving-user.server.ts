import { sql } from "kysely";
import type { Db } from "./connection.server";

/** Tables, by their names in the database, in which the serving user may insert and read only. */
const AUDIT = ["audit_event", "audit_referral"];
/** Tables written by `migrate` only. */
const VERSIONS = ["kysely_migration", "kysely_migration_lock"];

/** Also named in `audit-store.server.ts`, which calls it. */
const REMOVE_OLD_AUDIT = "remove_old_audit";

/**
 * Grants the serving database user what serving needs, table by table, and revokes rights to the whole database. That
 * user deletes audit rows older than `auditDays` by a procedure of the owner, with the database's clock. Run as the
 * owner of the tables, on MySQL and MariaDB; may be repeated.
 */
export async function grantServing(db: Db, user: string, auditDays: number): Promise<void> {
  const [name, host = "%"] = user.split("@") as [string, string?];
  const account = sql`${sql.lit(name)}@${sql.lit(host)}`;
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  for (const { name: table } of tables)
    await sql`grant ${rightsOn(table)} on ${sql.table(table)} to ${account}`.execute(db);

  await sql`drop procedure if exists ${sql.id(REMOVE_OLD_AUDIT)}`.execute(db);
  await sql`
    create procedure ${sql.id(REMOVE_OLD_AUDIT)}(in most int) sql security definer modifies sql data
    begin
      declare newest bigint default null;
      select max(id) into newest from (select id, at from audit_event order by id limit most) as oldest
        where at < date_format(utc_timestamp() - interval ${sql.lit(auditDays)} day, '%Y-%m-%d %H:%i:%s');
      delete from audit_referral where audit_event_id <= newest;
      delete from audit_event where id <= newest
        and at < date_format(utc_timestamp() - interval ${sql.lit(auditDays)} day, '%Y-%m-%d %H:%i:%s');
    end`.execute(db);
  await sql`grant execute on procedure ${sql.id(REMOVE_OLD_AUDIT)} to ${account}`.execute(db);

  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db);
  await sql`revoke all privileges on ${sql.id(rows[0]!.name)}.* from ${account}`.execute(db).catch((error: unknown) => {
    if ((error as { code?: string }).code !== "ER_NONEXISTING_GRANT") throw error;
  });
}

function rightsOn(table: string) {
  if (VERSIONS.includes(table)) return sql`select`;
  return AUDIT.includes(table) ? sql`select, insert` : sql`select, insert, update, delete`;
}
