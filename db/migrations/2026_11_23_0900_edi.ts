import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * What comes by EDI. A file is kept encrypted, as it came, under a key of its own that stands sealed in its row. Its letters have a row each,
 * and `dedupe_key` lets one in once; the files of a letter, and those that it says will come, are rows of their own and find each other by
 * the number that the sender gave them. An `edi_sender` is a sender that a person has said who it is.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("edi_file")
    .addColumn("received_at", moment, (c) => c.notNull())
    .addColumn("sha256", "varchar(64)", (c) => c.notNull())
    .addColumn("size_bytes", d.reference, (c) => c.notNull())
    .addColumn("stored_file_id", d.reference)
    .addColumn("row_key", sql`varchar(32)`)
    .addColumn("content_encrypted", d.longText, (c) => c.notNull())
    .execute();
  await d.index("edi_file_once", "edi_file", ["sha256"], { unique: true });
  await d.index("edi_file_by_received", "edi_file", ["received_at"]);

  await d
    .table("edi_message")
    .addColumn("file_id", d.reference, (c) => c.notNull())
    .addColumn("position", "integer", (c) => c.notNull())
    .addColumn("received_at", moment, (c) => c.notNull())
    .addColumn("kind", "varchar(16)", (c) => c.notNull())
    .addColumn("type", "varchar(10)")
    .addColumn("letter_id", "varchar(14)")
    .addColumn("envelope_id", "varchar(14)")
    .addColumn("sender_ean", "varchar(35)")
    .addColumn("dedupe_key", "varchar(64)")
    .addColumn("row_key", sql`varchar(32)`)
    .addColumn("content_encrypted", d.longText, (c) => c.notNull())
    .addColumn("cpr_hash", "varchar(64)")
    .addColumn("state", "varchar(12)", (c) => c.notNull())
    .addColumn("reason", "varchar(24)")
    .addColumn("detail", "varchar(500)")
    .addColumn("next_at", moment)
    .addColumn("referral_id", d.reference)
    .addColumn("duplicate_of", d.reference)
    .addColumn("decided_by", d.reference)
    .addColumn("decided_at", moment)
    .addColumn("receipt_outbox_id", d.reference)
    .execute();
  await d.index("edi_message_once", "edi_message", ["dedupe_key"], { unique: true });
  await d.index("edi_message_by_file", "edi_message", ["file_id", "position"]);
  await d.index("edi_message_due", "edi_message", ["state", "next_at"]);
  await d.index("edi_message_by_state", "edi_message", ["state", "id"]);
  await d.index("edi_message_by_referral", "edi_message", ["referral_id", "id"]);
  await d.index("edi_message_by_letter", "edi_message", ["letter_id", "sender_ean"]);
  await d.index("edi_message_by_cpr", "edi_message", ["cpr_hash", "id"]);

  await d
    .table("edi_object")
    .addColumn("message_id", d.reference, (c) => c.notNull())
    .addColumn("object_id", "varchar(36)", (c) => c.notNull())
    .addColumn("stored_file_id", d.reference)
    .addColumn("file_name", "varchar(255)", (c) => c.notNull())
    .addColumn("refused", "varchar(500)")
    .addColumn("referral_id", d.reference)
    .execute();
  await d.index("edi_object_by_message", "edi_object", ["message_id"]);
  await d.index("edi_object_by_object", "edi_object", ["object_id"]);

  await d
    .table("edi_reference")
    .addColumn("message_id", d.reference, (c) => c.notNull())
    .addColumn("object_id", "varchar(36)", (c) => c.notNull())
    .addColumn("description", "varchar(70)")
    .addColumn("edi_object_id", d.reference)
    .addColumn("due_at", moment, (c) => c.notNull())
    .addColumn("missing_since", moment)
    .execute();
  await d.index("edi_reference_by_message", "edi_reference", ["message_id"]);
  await d.index("edi_reference_by_object", "edi_reference", ["object_id"]);
  await d.index("edi_reference_due", "edi_reference", ["edi_object_id", "missing_since", "due_at"]);

  await d
    .table("edi_sender")
    .addColumn("sender_key", "varchar(64)", (c) => c.notNull())
    .addColumn("referrer_id", d.reference, (c) => c.notNull())
    .addColumn("linked_by", d.reference)
    .addColumn("linked_at", moment, (c) => c.notNull())
    .execute();
  await d.index("edi_sender_once", "edi_sender", ["sender_key"], { unique: true });
  await d.index("edi_sender_by_referrer", "edi_sender", ["referrer_id"]);
  await d.index("user_by_edi_id", "user", ["edi_dentist_id"]);
}
