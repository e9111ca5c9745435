import type { DbOrTx, Tx } from "~db/connection.server";
import { isDuplicate } from "~db/connection.server";
import { Refusal } from "~/access/refusal";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

export function emailTaken(): Refusal {
  return new Refusal("patientEmailTaken", {
    fields: { email: ["Mailen hører til en anden patient. Skriv en anden, eller lad feltet stå tomt."] },
  });
}

/**
 * The patient's row, one per CPR, made or brought up to date. Throws `patientEmailTaken` when another CPR has the e-mail
 *.
 */
export async function upsertPatient(
  tx: Tx,
  secrets: Secrets,
  { cpr, email }: { cpr: string; email: string | null },
  now: Date,
): Promise<number> {
  const known = await tx
    .selectFrom("patient")
    .select(["id", "email_norm"])
    .where("cpr_hash", "in", secrets.lookups("cpr", cpr))
    .executeTakeFirst();
  const emailNorm = email?.toLowerCase() ?? null;
  try {
    if (known) {
      // An empty field says nothing about the address an earlier referral gave.
      if (emailNorm !== null && known.email_norm !== emailNorm) {
        await tx.updateTable("patient").set({ email_norm: emailNorm }).where("id", "=", known.id).execute();
      }
      return known.id;
    }
    const row = await tx
      .insertInto("patient")
      .values({ cpr_hash: secrets.lookup("cpr", cpr), email_norm: emailNorm, created_at: toMoment(now) })
      .executeTakeFirstOrThrow();
    return Number(row.insertId);
  } catch (error) {
    if (isDuplicate(error)) {
      throw emailTaken();
    }
    throw error;
  }
}

/** Whether another CPR has the e-mail: the 403 before anything is written. */
export async function isEmailTaken(
  db: DbOrTx,
  secrets: Secrets,
  { cpr, email }: { cpr: string; email: string },
): Promise<boolean> {
  const owner = await db
    .selectFrom("patient")
    .select("cpr_hash")
    .where("email_norm", "=", email.toLowerCase())
    .executeTakeFirst();
  return owner !== undefined && !secrets.lookups("cpr", cpr).includes(owner.cpr_hash);
}
