import { withoutIndex } from "~db/without-index";
import { createHash } from "node:crypto";
import { addHours } from "date-fns";
import { type DbOrTx, insertUnlessThere, type Tx, changesAny, idsOf } from "~db/connection.server";
import { sealedAutosave } from "~/access/sealed-column.server";
import { factsIn, typedFacts } from "../model/facts";
import { type AskedFact, askedFacts } from "../model/known-none";
import { nameQuestions } from "../model/name-question";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import { cprOf } from "~/text/fields.server";
import { hasPatientContent } from "../model/autosave-content";
import type { Actor, Person } from "~/access/actor";
import { draftScope, inScope, referralScope, type ScopedReferralId } from "~/access/scope.server";
import { URGENT } from "../model/referral";
import { CLOSED } from "../model/statuses";
import { claimForm, findFormAnswer, recordFormAnswer } from "~/access/idempotency-store.server";
import { MAX_WAIT_HOURS } from "../model/sending-rules";

export type TypedValues = Record<string, string | string[]>;

/**
 * One person's unsaved text of a form under one CPR number (`DDMMYY-XXXX`, null without a complete one); `modifiedAt`
 * is in UTC. A form may have several, when the number changed in another tab or in the referral (docs/decisions/0052).
 */
export interface StoredAutosave {
  id: number;
  formKey: string;
  cpr: string | null;
  values: TypedValues;
  modifiedAt: string;
}

export const autosaveKeyOf = (referralId: number) => `nr-${referralId}`;

const MAX_COPIES = 50;

interface Copy {
  userId: number;
  formKey: string;
  referralId: number | null;
  values: TypedValues;
  now: Date;
}

/**
 * Stores a person's unsaved form text encrypted, replacing the copy of the same form and number. Only the newest copies
 * are kept.
 */
export async function upsertAutosave(
  tx: Tx,
  secrets: Secrets,
  { userId, formKey, referralId, values, now }: Copy,
): Promise<void> {
  const cpr = cprOf(values);
  const former = (await findAutosaves(tx, secrets, userId, formKey)).find((copy) => copy.cpr === cpr);
  const row = {
    cprHash: hashOf(secrets, cpr),
    ...sealedAutosave.seal(secrets, JSON.stringify(values)),
    modifiedAt: toMoment(now),
  };
  if (former) await tx.updateTable("autosave").set(row).where("id", "=", former.id).execute();
  else if (await insertUnlessThere(tx, "autosave", { userId, formKey, referralId, ...row }))
    await deleteOldestAutosaves(tx, userId);
  else
    await tx
      .updateTable("autosave")
      .set(row)
      .where("userId", "=", userId)
      .where("formKey", "=", formKey)
      .where("cprHash", "=", row.cprHash)
      .execute();
}

async function deleteOldestAutosaves(tx: Tx, userId: number): Promise<void> {
  const beyond = await copiesOf(tx, userId).clearSelect().select("id").offset(MAX_COPIES).limit(100).execute();
  if (beyond.length > 0) await tx.deleteFrom("autosave").where("id", "in", idsOf(beyond)).execute();
}

const hashOf = (secrets: Secrets, cpr: string | null) => (cpr === null ? "" : secrets.lookup("cpr", cpr));

export async function deleteAutosavesUnder(
  tx: Tx,
  secrets: Secrets,
  userId: number,
  formKey: string,
  cpr: string | null,
): Promise<void> {
  const ids = idsOf((await findAutosaves(tx, secrets, userId, formKey)).filter((copy) => copy.cpr === cpr));
  if (ids.length > 0) await tx.deleteFrom("autosave").where("id", "in", ids).execute();
}

export async function findAutosave(
  db: DbOrTx,
  secrets: Secrets,
  userId: number,
  id: number,
): Promise<StoredAutosave | null> {
  const row = await copiesOf(db, userId).where("id", "=", id).executeTakeFirst();
  return row ? toAutosave(secrets, row) : null;
}

export async function deleteAutosave(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.deleteFrom("autosave").where("id", "=", id).where("userId", "=", userId).execute();
}

export async function moveAutosaves(tx: Tx, id: number, formKey: string): Promise<void> {
  await tx.updateTable("autosave").set({ formKey, referralId: null }).where("id", "=", id).execute();
}

const copiesOf = (db: DbOrTx, userId: number) =>
  db
    .selectFrom("autosave")
    .select(["id", "formKey", "rowKey", "valuesEncrypted", "modifiedAt"])
    .where("userId", "=", userId)
    .orderBy("modifiedAt", "desc")
    .orderBy("id", "desc");

export async function findAutosaves(
  db: DbOrTx,
  secrets: Secrets,
  userId: number,
  formKey: string,
): Promise<StoredAutosave[]> {
  const rows = await copiesOf(db, userId).where("formKey", "=", formKey).execute();
  return rows.flatMap((row) => toAutosave(secrets, row) ?? []);
}

/** A person's unsaved forms, newest first, at most five; a number alone does not count. */
export async function findUnsavedForms(db: DbOrTx, secrets: Secrets, userId: number): Promise<StoredAutosave[]> {
  const rows = await copiesOf(db, userId).where("referralId", "is", null).limit(20).execute();
  return rows
    .flatMap((row) => toAutosave(secrets, row) ?? [])
    .filter(({ values }) => hasPatientContent(values))
    .slice(0, 5);
}

function toAutosave(
  secrets: Secrets,
  row: Awaited<ReturnType<ReturnType<typeof copiesOf>["executeTakeFirstOrThrow"]>>,
): StoredAutosave | null {
  const plain = sealedAutosave.open(secrets, row);
  if (plain === null) return null;
  const values = JSON.parse(plain) as TypedValues;
  return { id: row.id, formKey: row.formKey, cpr: cprOf(values), values, modifiedAt: row.modifiedAt };
}

export async function findKnownPatient(db: DbOrTx, secrets: Secrets, actor: Actor, cpr: string) {
  const row = await db
    .selectFrom("referral")
    .select(["firstName", "lastName", ...factsIn("patient"), "email"])
    .where("cprHash", "in", secrets.lookups("cpr", cpr))
    .where((eb) => eb.or([referralScope(actor)(eb), draftScope(actor)(eb)]))
    .orderBy("createDate", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return {
    firstName: row.firstName,
    lastName: row.lastName,
    ...typedFacts(row, factsIn("patient")),
    email: row.email ?? "",
  };
}

export type KnownPatient = NonNullable<Awaited<ReturnType<typeof findKnownPatient>>>;

const newestOf = (db: DbOrTx, secrets: Secrets, cpr: string) =>
  db
    .selectFrom("referral")
    .select(["id", "createDate as date"])
    .where("cprHash", "in", secrets.lookups("cpr", cpr))
    .orderBy("createDate", "desc")
    .limit(10);

export const findDraftsFor = (db: DbOrTx, secrets: Secrets, actor: Actor, cpr: string) =>
  newestOf(db, secrets, cpr).where(draftScope(actor)).execute();

export const findOpenReferralsFor = (db: DbOrTx, secrets: Secrets, actor: Actor, cpr: string) =>
  newestOf(db, secrets, cpr).where("status", "!=", CLOSED).where(referralScope(actor)).execute();

/** The newest that sent referrals of a number in the actor's scope say of a fact, by fact. */
export async function findLastSaid(db: DbOrTx, secrets: Secrets, actor: Actor, cpr: string): Promise<LastSaid> {
  const rows = await newestOf(db, secrets, cpr)
    .select(askedFacts)
    .where(referralScope(actor, { offersIndex: false }))
    // The number's index finds few rows; the list's of tests would go through all referrals.
    .where(withoutIndex<boolean>("isTest"), "=", false)
    .where("nameQuestion", "in", [nameQuestions.none, nameQuestions.answered])
    .execute();
  return Object.fromEntries(
    askedFacts.flatMap((name) => {
      const row = rows.find((each) => (each[name] ?? "") !== "");
      return row === undefined ? [] : [[name, { id: row.id, date: row.date, text: row[name]! }]];
    }),
  );
}

export type LastSaid = Partial<Record<AskedFact, { id: number; date: string; text: string }>>;

const formOf = (person: Person, formKey: string) => ({ userId: person.id, operation: "savePatient", formKey });

/** The draft created by a form key, or null (docs/rules/referral-form.md). */
export async function findDraftOfForm(db: DbOrTx, person: Person, formKey: string): Promise<number | null> {
  const answer = await findFormAnswer(db, formOf(person, formKey));
  return answer?.to === undefined ? null : Number(answer.to);
}

/** Finds the draft of an earlier submission of this form: going back and saving again changes that draft. */
export async function claimDraftOfForm(tx: Tx, person: Person, formKey: string, now: Date): Promise<number | null> {
  return (await claimForm(tx, formOf(person, formKey), now)) ? null : findDraftOfForm(tx, person, formKey);
}

export function recordDraftOfForm(tx: Tx, person: Person, formKey: string, id: number): Promise<void> {
  return recordFormAnswer(tx, formOf(person, formKey), { to: String(id) });
}

/**
 * The form key of this number's text. A form may be open in two tabs; once it is the draft of one number, or was taken
 * over, another number's text gets a form of its own (docs/decisions/0052).
 */
export async function formKeyFor(
  db: DbOrTx,
  person: Person,
  secrets: Secrets,
  formKey: string,
  cpr: string | null,
): Promise<string> {
  const begun = cpr === null ? null : await findDraftOfForm(db, person, formKey);
  if (begun === null || cpr === null) return formKey;
  const draft = await db
    .selectFrom("referral")
    .select("id")
    .where("id", "=", begun)
    .where("cprHash", "in", secrets.lookups("cpr", cpr))
    .where("modifierId", "=", person.id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return draft
    ? formKey
    : createHash("sha256")
        .update(`${formKey} ${secrets.lookup("cpr", cpr)}`)
        .digest("hex");
}

/** The referrer of a person's newest referral or draft; null before the first. */
export async function findLastReferrerId(db: DbOrTx, creatorId: number): Promise<number | null> {
  const row = await db
    .selectFrom("referral")
    .select("referrerId")
    .where("creatorId", "=", creatorId)
    .where("referrerId", "is not", null)
    .orderBy("createDate", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.referrerId ?? null;
}

interface AwaitedSending {
  requestedBy: number;
  requestedAt: Date;
  dueAt: Date;
}

/** Marks a draft to be sent once its files arrive; the first request counts. */
export async function insertAwaitedSending(
  tx: Tx,
  referralId: ScopedReferralId,
  requestedBy: number,
  now: Date,
): Promise<void> {
  await insertUnlessThere(tx, "awaitedSending", {
    referralId,
    requestedBy,
    requestedAt: toMoment(now),
    dueAt: toMoment(addHours(now, MAX_WAIT_HOURS)),
  });
}

export async function findAwaitedSending(db: DbOrTx, referralId: ScopedReferralId): Promise<AwaitedSending | null> {
  const row = await db
    .selectFrom("awaitedSending")
    .select(["requestedBy", "requestedAt", "dueAt"])
    .where("referralId", "=", referralId)
    .executeTakeFirst();
  return row
    ? { requestedBy: row.requestedBy, requestedAt: new Date(row.requestedAt), dueAt: new Date(row.dueAt) }
    : null;
}

export async function deleteAwaitedSending(tx: Tx, referralId: ScopedReferralId): Promise<boolean> {
  return changesAny(tx.deleteFrom("awaitedSending").where("referralId", "=", referralId));
}

export async function findAwaiting(db: DbOrTx, limit: number): Promise<number[]> {
  const rows = await db.selectFrom("awaitedSending").select("referralId").orderBy("dueAt").limit(limit).execute();
  return rows.map(({ referralId: id }) => id);
}

export function findAwaitingDrafts(db: DbOrTx, actor: Actor, limit: number) {
  return db
    .selectFrom("awaitedSending")
    .innerJoin("referral", "referral.id", "awaitedSending.referralId")
    .select(["referral.id", "referral.firstName", "referral.lastName"])
    .where((eb) => draftScope(actor)(eb as never))
    .orderBy("awaitedSending.dueAt")
    .limit(limit)
    .execute();
}

/** Drafts in scope that say that they are urgent and that nobody has sent, oldest first. */
export function findUrgentDrafts(db: DbOrTx, actor: Actor, limit: number) {
  return inScope(
    db
      .selectFrom("referral")
      .select([
        "referral.id",
        "referral.firstName",
        "referral.lastName",
        "referral.createDate",
        "referral.availableStep",
      ])
      .where("referral.referenceType", "=", URGENT)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("awaitedSending").select("dueAt").whereRef("awaitedSending.referralId", "=", "referral.id"),
          ),
        ),
      )
      .orderBy("referral.createDate")
      .orderBy("referral.id")
      .limit(limit),
    actor,
    "draft",
  ).execute();
}

/** Unfinished uploads of waiting referrals; 0 if none is left, absent if it does not wait. */
export async function countAwaited(db: DbOrTx, referralIds: readonly number[]): Promise<Map<number, number>> {
  if (referralIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("awaitedSending")
    .leftJoin("partialUpload", (join) =>
      join
        .onRef("partialUpload.referralId", "=", "awaitedSending.referralId")
        .on("partialUpload.state", "=", "arriving"),
    )
    .select((eb) => ["awaitedSending.referralId", eb.fn.count<number>("partialUpload.id").as("files")])
    .where("awaitedSending.referralId", "in", referralIds)
    .groupBy("awaitedSending.referralId")
    .execute();
  return new Map(rows.map(({ referralId: id, files }) => [id, Number(files)]));
}

export async function refreshAwaitedFiles(tx: Tx, referralId: ScopedReferralId): Promise<void> {
  const { files } = await tx
    .selectFrom("partialUpload")
    .select((eb) => eb.fn.countAll<number>().as("files"))
    .where("referralId", "=", referralId)
    .where("state", "=", "arriving")
    .where("awaitedAt", "is not", null)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("referral")
    .set({ awaitedFiles: Number(files) })
    .where("id", "=", referralId)
    .execute();
}
