import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** The operation time that a message tells the patient, `YYYY-MM-DD HH:MM`: what waits is withdrawn when the time is another. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("outbox", "operation_moment", sql`varchar(16)`);
  await sql`update outbox set operation_moment = (
    select max(reminder.operation_moment) from appointment_reminder as reminder where reminder.outbox_id = outbox.id
  ) where kind = 'appointmentReminder' and outcome = 'queued'`.execute(db);
}
