import { withoutIndex } from "~db/without-index";
import { type DbOrTx, forUpdate, type Tx, unlessTaken } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { inScope, referralScope, type ScopedReferralId, trustedReferral } from "~/access/scope.server";
import { Refusal } from "~/access/refusal";
import type { Secrets } from "~/access/secrets.server";
import { nameQuestions } from "../model/name-question";
import { emailKey } from "~/text/fields.server";
import { toMoment } from "~/text/dates";

export function emailTaken(): Refusal {
  return new Refusal("patientEmailTaken", {
    fields: { email: ["Mailen hører til en anden patient. Skriv en anden, eller lad feltet stå tomt."] },
  });
}

/**
 * Creates or updates the patient's row, one per CPR number. `referralId` is the saved referral, whose e-mail moves with
 * it to another CPR number. Throws `patientEmailTaken` if another patient has the e-mail.
 */
export async function upsertPatient(
  tx: Tx,
  secrets: Secrets,
  { cpr, email, referralId = null }: { cpr: string; email: string | null; referralId?: number | null },
  now: Date,
): Promise<number> {
  const address = { emailNorm: email === null ? null : emailKey(email), referralId };
  // Not locked: locking a missing number would lock its neighbours and deadlock two new patients.
  const known = await patientOf(tx, secrets, cpr).executeTakeFirst();
  if (known) return writeEmail(tx, known, address);
  if (address.emailNorm !== null) await releaseEmail(tx, address.emailNorm, referralId);
  const patient = { cprHash: secrets.lookup("cpr", cpr), emailNorm: address.emailNorm, createdAt: toMoment(now) };
  const inserted = await unlessTaken(tx.insertInto("patient").values(patient).executeTakeFirstOrThrow(), () => null);
  if (inserted !== null) return Number(inserted.insertId);
  // A locking read sees a row that another transaction has just inserted.
  const rival = await forUpdate(tx, patientOf(tx, secrets, cpr)).executeTakeFirst();
  if (!rival) throw emailTaken();
  return writeEmail(tx, rival, address);
}

const patientOf = (tx: Tx, secrets: Secrets, cpr: string) =>
  tx.selectFrom("patient").select(["id", "emailNorm"]).where("cprHash", "in", secrets.lookups("cpr", cpr));

/** An empty field does not clear an address from an earlier referral. */
async function writeEmail(
  tx: Tx,
  { id, emailNorm: before }: { id: number; emailNorm: string | null },
  { emailNorm, referralId }: { emailNorm: string | null; referralId: number | null },
): Promise<number> {
  if (emailNorm === null || before === emailNorm) return id;
  await releaseEmail(tx, emailNorm, referralId);
  await unlessTaken(tx.updateTable("patient").set({ emailNorm }).where("id", "=", id).execute(), () => {
    throw emailTaken();
  });
  return id;
}

/** Releases an e-mail from a patient whose other referrals do not use it. Throws `patientEmailTaken`. */
async function releaseEmail(tx: Tx, emailNorm: string, referralId: number | null): Promise<void> {
  const owner = await tx.selectFrom("patient").select("id").where("emailNorm", "=", emailNorm).executeTakeFirst();
  if (!owner) return;
  if (await isEmailInUse(tx, { patientId: owner.id, emailNorm, exceptReferralId: referralId })) throw emailTaken();
  await tx
    .updateTable("patient")
    .set({ emailNorm: null })
    .where("id", "=", owner.id)
    .where("emailNorm", "=", emailNorm)
    .execute();
}

/** Whether another referral or draft of the patient uses this e-mail; deleted drafts do not count. */
async function isEmailInUse(
  db: DbOrTx,
  { patientId, emailNorm, exceptReferralId }: { patientId: number; emailNorm: string; exceptReferralId: number | null },
): Promise<boolean> {
  const row = await db
    .selectFrom("referral")
    .select("id")
    .where("emailNorm", "=", emailNorm)
    .where("patientId", "=", patientId)
    .where("deletedAt", "is", null)
    .where("id", "!=", exceptReferralId ?? 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether another patient has the e-mail; checked before anything is written (403). */
export async function isEmailTaken(
  db: DbOrTx,
  secrets: Secrets,
  { cpr, email }: { cpr: string; email: string },
): Promise<boolean> {
  const emailNorm = emailKey(email);
  const owner = await db
    .selectFrom("patient")
    .select(["id", "cprHash"])
    .where("emailNorm", "=", emailNorm)
    .executeTakeFirst();
  if (owner === undefined || secrets.lookups("cpr", cpr).includes(owner.cprHash)) return false;
  return isEmailInUse(db, { patientId: owner.id, emailNorm, exceptReferralId: null });
}

export async function removeUnusedPatient(tx: Tx, id: number | null): Promise<void> {
  if (id === null) return;
  await tx
    .deleteFrom("patient")
    .where("id", "=", id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("referral").select("referral.id").where("referral.patientId", "=", id))),
    )
    .execute();
}

/** Messages queued before `now` are another patient's, and are not sent. */
export async function markOtherPatient(tx: Tx, id: ScopedReferralId, now: Date): Promise<void> {
  await tx
    .updateTable("referral")
    .set({ patientSince: toMoment(now) })
    .where("id", "=", id)
    .execute();
}

/** The name of a number's newest other sent referral whose own name is not in question; tests do not count. */
export async function findNameOfNumber(
  db: DbOrTx,
  secrets: Secrets,
  cpr: string,
  { except = 0, actor }: { except: number | undefined; actor?: Actor },
): Promise<{ id: number; firstName: string; lastName: string } | null> {
  let query = db
    .selectFrom("referral")
    .select(["id", "firstName as firstName", "lastName as lastName"])
    .where("cprHash", "in", secrets.lookups("cpr", cpr))
    .where("sentAt", "is not", null)
    .where("deletedAt", "is", null)
    // The number's index finds few rows; the list's of tests would go through all referrals.
    .where(withoutIndex<boolean>("isTest"), "=", false)
    .where("nameQuestion", "in", [nameQuestions.none, nameQuestions.answered])
    .where("id", "!=", except)
    .orderBy("createDate", "desc")
    .limit(1);
  if (actor !== undefined) query = query.where(referralScope(actor, { offersIndex: false }));
  return (await query.executeTakeFirst()) ?? null;
}

/** Sent referrals of a number that another referral's name put in question. */
export async function findNamesInQuestion(tx: Tx, secrets: Secrets, cpr: string) {
  const rows = await tx
    .selectFrom("referral")
    .select(["id", "firstName as firstName", "lastName as lastName"])
    .where("cprHash", "in", secrets.lookups("cpr", cpr))
    .where("sentAt", "is not", null)
    .where("nameQuestion", "=", nameQuestions.otherReferral)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, id: trustedReferral(row.id) }));
}

export async function writeNameQuestion(tx: Tx, id: ScopedReferralId, question: number): Promise<void> {
  await tx.updateTable("referral").set({ nameQuestion: question }).where("id", "=", id).execute();
}

/** Records that e-Boks does not know the patient, so that it is not offered again. */
export async function markWithoutEboks(tx: Tx, referralId: number): Promise<void> {
  await tx.updateTable("referral").set({ patientWithoutEboks: true }).where("id", "=", referralId).execute();
}

/** Far more than a patient has, so that no allergy of an old referral is left out; nothing else limits them. */
const OF_A_PATIENT = 200;

/** Sent referrals of patients in the actor's scope with what they say of allergies and medicine, newest first. */
export async function findOfPatients(db: DbOrTx, actor: Actor, patientIds: readonly number[]) {
  if (patientIds.length === 0) return [];
  return inScope(
    db
      .selectFrom("referral")
      .select(["id", "patientId", "status", "createDate", "isTest", "nameQuestion", "allergies", "medication"])
      .where("patientId", "in", patientIds)
      .orderBy("id", "desc")
      .limit(OF_A_PATIENT * patientIds.length),
    actor,
    "sent",
  ).execute();
}
