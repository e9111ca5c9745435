import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** A letter is compared with the one that came before under its number. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("edi_message_by_number", "edi_message", ["letter_id", "sender_ean"]);
}
