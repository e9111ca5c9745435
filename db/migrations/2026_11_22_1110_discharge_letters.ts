import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * The list of discharge letters holds the referrals that have one and sorts by when the last one was sent: both stand on the referral. A letter
 * has any number of images; who changed it last, and that a patient wants none sent to the referrer, is kept.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("referral", "has_discharge_letter", sql`smallint`, 0);
  await d.column("referral", "discharge_sent_at", moment);
  await d.column("referral", "declines_discharge_letter", sql`smallint`, 0);
  await d.column("discharge_letter", "modifier_id", d.reference);
  await d.column("discharge_letter", "modified_at", moment);
  await d
    .table("discharge_letter_image")
    .addColumn("discharge_letter_id", d.reference, (c) => c.notNull())
    .addColumn("stored_file_id", d.reference, (c) => c.notNull())
    .execute();
  await d.index("discharge_letter_image_by_letter", "discharge_letter_image", ["discharge_letter_id", "id"]);
  if (await d.hasColumn("discharge_letter", "radiograph_file_id")) {
    await sql`
      insert into discharge_letter_image (discharge_letter_id, stored_file_id)
      select letter.id, letter.radiograph_file_id from discharge_letter as letter
      where letter.radiograph_file_id is not null
        and letter.id not in (select image.discharge_letter_id from discharge_letter_image as image)`.execute(db);
    await d.dropColumn("discharge_letter", "radiograph_file_id");
  }
  await sql`
    update referral set
      has_discharge_letter = 1,
      discharge_sent_at = (select max(letter.send_date) from discharge_letter as letter where letter.referral_id = referral.id and letter.deleted_at is null)
    where id in (select letter.referral_id from discharge_letter as letter where letter.deleted_at is null)`.execute(
    db,
  );
  await d.index("discharge_letter_by_message", "discharge_letter", ["outbox_id"]);
  await d.index("discharge_letter_without_pdf", "discharge_letter", ["diagnosis_file_id", "deleted_at", "referral_id"]);
  for (const [name, column] of [
    ["sent", "discharge_sent_at"],
    ["cpr", "cpr6"],
    ["name", "name_sort"],
  ] as const)
    await d.index(`referral_by_letter_${name}`, "referral", ["has_discharge_letter", column, "id"]);
  await d.index("referral_by_letter", "referral", ["has_discharge_letter", "id"]);
}
