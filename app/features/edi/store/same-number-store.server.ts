import type { Secrets } from "~/access/secrets.server";
import type { DbOrTx } from "~db/connection.server";
import { type EdiMessage, openEdiRow } from "./edi-message-store.server";

/**
 * An earlier letter of the same sender, number and type: the newest on a referral, else the newest. Types differ
 * between XML and EDIFACT only by an X.
 */
export async function findSameNumber(db: DbOrTx, secrets: Secrets, message: EdiMessage): Promise<EdiMessage | null> {
  const { id, sender_ean: ean, letter_id: number, type } = message;
  if (number === null || type === null) return null;
  const name = type.replace(/^X/, "");
  const rows = await db
    .selectFrom("edi_message")
    .selectAll()
    .where("letter_id", "=", number)
    .where("sender_ean", ean === null ? "is" : "=", ean)
    .where("type", "in", [name, `X${name}`])
    .where("id", "!=", id)
    .where("state", "not in", ["duplicate", "refused"])
    .where("content_encrypted", "!=", "")
    .where((eb) => eb.or([eb("id", "<", id), eb("referral_id", "is not", null)]))
    .orderBy("id", "desc")
    .execute();
  const row = rows.find(({ referral_id: referral }) => referral !== null) ?? rows[0];
  return row ? openEdiRow(secrets, row) : null;
}
