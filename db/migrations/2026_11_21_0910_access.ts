import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Sessions, throttles, tokens, idempotency keys and the audit. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .plainTable("session")
    .addColumn("id", "varchar(64)", (c) => c.primaryKey())
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("last_seen_at", moment, (c) => c.notNull())
    .addColumn("expires_at", moment, (c) => c.notNull())
    .addColumn("flash", "text")
    .addColumn("info_popup_seen", "smallint", (c) => c.notNull())
    .addColumn("callup_popup", "smallint", (c) => c.notNull())
    .addColumn("restored_input", d.longText)
    .execute();
  await d.index("session_by_user", "session", ["user_id"]);
  await d.index("session_by_expiry", "session", ["expires_at"]);

  await d
    .plainTable("throttle")
    .addColumn("id", "varchar(64)", (c) => c.primaryKey())
    .addColumn("window_start", moment, (c) => c.notNull())
    .addColumn("hits", "integer", (c) => c.notNull())
    .execute();
  await d.index("throttle_by_window", "throttle", ["window_start"]);

  await d
    .plainTable("access_token")
    .addColumn("id", "varchar(64)", (c) => c.primaryKey())
    .addColumn("purpose", "varchar(30)", (c) => c.notNull())
    .addColumn("user_id", d.reference)
    .addColumn("referral_id", d.reference)
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("expires_at", moment, (c) => c.notNull())
    .addColumn("used_at", moment)
    .addColumn("revoked_at", moment)
    .execute();
  await d.index("access_token_by_user", "access_token", ["user_id", "purpose"]);

  await d
    .plainTable("idempotency")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("operation", "varchar(60)", (c) => c.notNull())
    .addColumn("form_key", "varchar(64)", (c) => c.notNull())
    .addColumn("location", "varchar(500)", (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .addPrimaryKeyConstraint("idempotency_pk", ["user_id", "operation", "form_key"])
    .execute();
  await d.index("idempotency_by_age", "idempotency", ["created_at"]);

  await d
    .table("audit_event")
    .addColumn("at", moment, (c) => c.notNull())
    .addColumn("actor_kind", "varchar(20)", (c) => c.notNull())
    .addColumn("actor_id", d.reference)
    .addColumn("operation", "varchar(60)", (c) => c.notNull())
    .addColumn("outcome", "varchar(30)", (c) => c.notNull())
    .addColumn("detail", "varchar(500)")
    .execute();
  await d.index("audit_event_by_actor", "audit_event", ["actor_id", "at"]);

  await d
    .plainTable("audit_referral")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("audit_event_id", d.reference, (c) => c.notNull())
    .addPrimaryKeyConstraint("audit_referral_pk", ["referral_id", "audit_event_id"])
    .execute();
}
