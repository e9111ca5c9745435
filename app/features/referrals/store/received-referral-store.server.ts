import { type DbOrTx, type Tx, idsOf } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import { justInserted, type ScopedReferralId } from "~/access/scope.server";
import type { Secrets } from "~/access/secrets.server";
import { type FactValues, unknownFacts } from "~/features/referrals/model/facts";
import { AWAITING_TRIAGE, CLOSED, DECLINED } from "~/features/referrals/model/statuses";
import { toMoment } from "~/text/dates";
import { newDraft, patientColumns, rewriteNameTokens } from "./referral-store.server";

export interface ReceivedReferral extends Partial<FactValues> {
  cpr: string;
  firstName: string;
  lastName: string;
  email: string | null;
  desiredTreatment: string;
  responsibleDentist: string;
  ediId: string;
  radiographsSendType: number;
  referrer: { id: number; clinicId: number | null; externalId: string | null } | null;
}

const TO_BE_CALLED_UP = 2;

/** Inserts a received referral, which is sent from the start and has no creator. */
export async function insertReceived(
  tx: Tx,
  secrets: Secrets,
  { responsibleDentist, ediId, radiographsSendType, referrer, ...values }: ReceivedReferral,
  patientId: number,
  now: Date,
): Promise<ScopedReferralId> {
  const columns = patientColumns(
    secrets,
    {
      ...unknownFacts,
      ...values,
      withPrompts: "on",
      visitType: "edi",
      externalId: ediId,
      callType: TO_BE_CALLED_UP,
    },
    patientId,
  );
  const inserted = await tx
    .insertInto("referral")
    .values({
      ...newDraft(columns, { id: 0, primaryClinicId: referrer?.clinicId ?? null }, now),
      sentAt: toMoment(now),
      status: AWAITING_TRIAGE,
      creatorId: null,
      modifierId: null,
      referrerId: referrer?.id ?? null,
      externalDoctorId: referrer?.externalId ?? null,
      ediResponsibleDentist: responsibleDentist,
      radiographsSendType,
      availableStep: 3,
    })
    .executeTakeFirstOrThrow();
  const id = justInserted(inserted);
  await rewriteNameTokens(tx, id, values);
  markReferrals(tx, [id]);
  return id;
}

export async function findEarlierName(
  db: DbOrTx,
  secrets: Secrets,
  cpr: string,
): Promise<{ firstName: string; lastName: string } | null> {
  const row = await newestOf(db, secrets, cpr)
    .select(["firstName as firstName", "lastName as lastName"])
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

const newestOf = (db: DbOrTx, secrets: Secrets, cpr: string) =>
  db
    .selectFrom("referral")
    .where("cprHash", "in", secrets.lookups("cpr", cpr))
    .where("sentAt", "is not", null)
    .where("deletedAt", "is", null)
    .orderBy("createDate", "desc");

export async function findOpenOfPatient(db: DbOrTx, secrets: Secrets, cpr: string): Promise<number[]> {
  const rows = await newestOf(db, secrets, cpr)
    .select("id")
    .where("status", "not in", [CLOSED, DECLINED])
    .limit(20)
    .execute();
  return idsOf(rows);
}
