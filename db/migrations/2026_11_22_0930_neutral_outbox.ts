import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Of a send that was interrupted, as it used to be told from one that had failed. */
const UNKNOWN = "Ukendt: kontrollér hos modtageren";

const KINDS = { referralStatus: "statusNews", newMessage: "messageNews", newMessageToClinic: "messageNewsToClinic" };

/**
 * The outbox says what became of a message in words of its own, the same for every channel; the number that the lists and the API show
 * stands beside it. What a provider, a resend and a person asking for a message need gets its columns.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("outbox", "outcome", sql`varchar(12)`, "queued");
  await d.column("outbox", "code", "smallint", 0);
  await d.column("outbox", "detail", sql`varchar(300)`);
  await d.column("outbox", "provider_reference", sql`varchar(100)`);
  await d.column("outbox", "stored_file_id", d.reference);
  await d.column("outbox", "resends_id", d.reference);
  await d.column("outbox", "requested_by", d.reference);
  await d.column("outbox", "expires_at", moment);
  await d.column("outbox", "settled_at", moment);
  // Filled while what it is read from is there: it is dropped last, and a run that broke before then fills it again.
  if (await d.hasColumn("outbox", "status_text")) await fill(db);
  await d.index("outbox_by_lane", "outbox", ["channel", "outcome", "not_before"]);
  await d.index("outbox_by_user", "outbox", ["user_id", "kind", "id"]);
  await d.index("outbox_by_settled", "outbox", ["settled_at"]);
  await d.index("outbox_by_resent", "outbox", ["resends_id"], { unique: true });
  await d.dropIndex("outbox_by_due", "outbox");
  await d.dropColumn("outbox", "status_text");
  await d.dropColumn("outbox", "status");
}

async function fill(db: Kysely<any>): Promise<void> {
  await sql`
    update outbox set
      outcome = case
        when status = 0 then 'queued'
        when status = 2 then 'awaiting'
        when status = 3 then 'sent'
        when status_text = ${UNKNOWN} then 'unknown'
        else 'failed' end,
      code = status,
      detail = case when status_text = ${UNKNOWN} then null else status_text end,
      settled_at = case when status in (0, 2) then null
        else coalesce(sent_at, (select max(outbox_attempt.at) from outbox_attempt where outbox_attempt.outbox_id = outbox.id), created_at) end`.execute(
    db,
  );
  for (const [before, after] of Object.entries(KINDS))
    await db.updateTable("outbox").set({ kind: after }).where("kind", "=", before).execute();
}
