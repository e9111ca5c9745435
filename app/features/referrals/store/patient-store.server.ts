import { type DbOrTx, forUpdate, isDuplicate, type Tx } from "~db/connection.server";
import { Refusal } from "~/access/refusal";
import type { Secrets } from "~/access/secrets.server";
import { emailKey } from "~/text/email.server";
import { toMoment } from "~/text/dates";

export function emailTaken(): Refusal {
  return new Refusal("patientEmailTaken", {
    fields: { email: ["Mailen hører til en anden patient. Skriv en anden, eller lad feltet stå tomt."] },
  });
}

/**
 * The patient's row, one per CPR number, made or brought up to date. `referralId` is the referral that is saved: its address follows it to another
 * CPR number. Throws `patientEmailTaken` when another patient has the e-mail.
 */
export async function upsertPatient(
  tx: Tx,
  secrets: Secrets,
  { cpr, email, referralId = null }: { cpr: string; email: string | null; referralId?: number | null },
  now: Date,
): Promise<number> {
  const address = { emailNorm: email === null ? null : emailKey(email), referralId };
  // Without a lock: a number that is not there yet would lock its neighbours, and two new patients each other out.
  const known = await patientOf(tx, secrets, cpr).executeTakeFirst();
  if (known) return writeEmail(tx, known, address);
  if (address.emailNorm !== null) await releaseEmail(tx, address.emailNorm, referralId);
  try {
    const row = await tx
      .insertInto("patient")
      .values({ cpr_hash: secrets.lookup("cpr", cpr), email_norm: address.emailNorm, created_at: toMoment(now) })
      .executeTakeFirstOrThrow();
    return Number(row.insertId);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Another transaction may have saved the same new patient meanwhile: a locking read sees it.
    const rival = await forUpdate(tx, patientOf(tx, secrets, cpr)).executeTakeFirst();
    if (!rival) throw emailTaken();
    return writeEmail(tx, rival, address);
  }
}

const patientOf = (tx: Tx, secrets: Secrets, cpr: string) =>
  tx.selectFrom("patient").select(["id", "email_norm"]).where("cpr_hash", "in", secrets.lookups("cpr", cpr));

/** An empty field says nothing about the address an earlier referral gave. */
async function writeEmail(
  tx: Tx,
  { id, email_norm: before }: { id: number; email_norm: string | null },
  { emailNorm, referralId }: { emailNorm: string | null; referralId: number | null },
): Promise<number> {
  if (emailNorm === null || before === emailNorm) return id;
  await releaseEmail(tx, emailNorm, referralId);
  try {
    await tx.updateTable("patient").set({ email_norm: emailNorm }).where("id", "=", id).execute();
    return id;
  } catch (error) {
    throw isDuplicate(error) ? emailTaken() : error;
  }
}

/** Takes an e-mail from a patient none of whose other referrals has it. Throws `patientEmailTaken`. */
async function releaseEmail(tx: Tx, emailNorm: string, referralId: number | null): Promise<void> {
  const owner = await tx.selectFrom("patient").select("id").where("email_norm", "=", emailNorm).executeTakeFirst();
  if (!owner) return;
  if (await isEmailInUse(tx, { patientId: owner.id, emailNorm, exceptReferralId: referralId })) throw emailTaken();
  await tx
    .updateTable("patient")
    .set({ email_norm: null })
    .where("id", "=", owner.id)
    .where("email_norm", "=", emailNorm)
    .execute();
}

/** Whether a referral or draft of a patient, other than one, gives this e-mail; a deleted draft does not count. */
async function isEmailInUse(
  db: DbOrTx,
  { patientId, emailNorm, exceptReferralId }: { patientId: number; emailNorm: string; exceptReferralId: number | null },
): Promise<boolean> {
  const row = await db
    .selectFrom("referral")
    .select("id")
    .where("email_norm", "=", emailNorm)
    .where("patient_id", "=", patientId)
    .where("deleted_at", "is", null)
    .where("id", "!=", exceptReferralId ?? 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether another patient has the e-mail: the 403 before anything is written. */
export async function isEmailTaken(
  db: DbOrTx,
  secrets: Secrets,
  { cpr, email }: { cpr: string; email: string },
): Promise<boolean> {
  const emailNorm = emailKey(email);
  const owner = await db
    .selectFrom("patient")
    .select(["id", "cpr_hash"])
    .where("email_norm", "=", emailNorm)
    .executeTakeFirst();
  if (owner === undefined || secrets.lookups("cpr", cpr).includes(owner.cpr_hash)) return false;
  return isEmailInUse(db, { patientId: owner.id, emailNorm, exceptReferralId: null });
}

/** Deletes a patient whom no referral or draft names any more. */
export async function removeUnusedPatient(tx: Tx, id: number | null): Promise<void> {
  if (id === null) return;
  await tx
    .deleteFrom("patient")
    .where("id", "=", id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("referral").select("referral.id").where("referral.patient_id", "=", id))),
    )
    .execute();
}
