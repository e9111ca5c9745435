import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** Whether staff must decide if the referral's name belongs to its CPR number; unknown for referrals of before. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "referral", "name_question", "smallint not null default 0");
}
