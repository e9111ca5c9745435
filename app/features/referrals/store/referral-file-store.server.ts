import { addDays } from "date-fns";
import type { NotNull } from "kysely";
import { changesAny, type DbOrTx, rowCount, type Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { Refusal } from "~/access/refusal";
import { referralScope, type ScopedReferralId } from "~/access/scope.server";
import { type FileKind, MAX_RADIOGRAPHS } from "~/files/file-rules";
import type { StagedFile } from "~/files/staging/staged-upload-store.server";
import { toMoment } from "~/text/dates";

export async function findFiles(db: DbOrTx, referralId: ScopedReferralId): Promise<ReferralFile[]> {
  const rows = await fileQuery(db)
    .where("referralFile.referralId", "=", referralId)
    .orderBy("referralFile.id")
    .execute();
  return rows.map(toFile);
}

export async function findFileNames(
  db: DbOrTx,
  referralIds: readonly number[],
): Promise<{ referralId: number; fileName: string }[]> {
  if (referralIds.length === 0) return [];
  return fileQuery(db)
    .clearSelect()
    .select(["referralFile.referralId as referralId", "storedFile.fileName as fileName"])
    .where("referralFile.referralId", "in", referralIds)
    .execute();
}

/** The actor's sent referrals that have an image with one of these contents, other than the referral itself. */
export async function findSameImages(
  db: DbOrTx,
  actor: Actor,
  referralId: ScopedReferralId,
  contents: readonly string[],
): Promise<{ sha256: string; referralId: number; patientId: number | null }[]> {
  if (contents.length === 0) return [];
  return db
    .selectFrom("storedFile")
    .innerJoin("referralFile", "referralFile.storedFileId", "storedFile.id")
    .innerJoin("referral", "referral.id", "referralFile.referralId")
    .select(["storedFile.sha256", "referral.id as referralId", "referral.patientId as patientId"])
    .where("storedFile.sha256", "in", contents)
    .where("referralFile.kind", "=", "radiograph")
    .where("referralFile.deletedAt", "is", null)
    .where("referral.id", "<>", referralId)
    .where(referralScope(actor, { offersIndex: false }))
    .distinct()
    .orderBy("referral.id", "desc")
    .limit(MAX_SAME)
    .execute();
}

/** The newest of them: one picture of a whole series of templates would name hundreds. */
const MAX_SAME = 100;

/** A file of this referral; null if it belongs to another. */
export async function findFile(db: DbOrTx, referralId: ScopedReferralId, fileId: number): Promise<ReferralFile | null> {
  const row = await fileQuery(db)
    .where("referralFile.referralId", "=", referralId)
    .where("referralFile.id", "=", fileId)
    .executeTakeFirst();
  return row ? toFile(row) : null;
}

export async function findLetterImageIds(db: DbOrTx, referralId: ScopedReferralId): Promise<number[]> {
  const rows = await db
    .selectFrom("dischargeLetterImage as image")
    .innerJoin("dischargeLetter as letter", "letter.id", "image.dischargeLetterId")
    .select("image.storedFileId")
    .where("letter.referralId", "=", referralId)
    .where("letter.deletedAt", "is", null)
    .execute();
  return rows.map((row) => row.storedFileId);
}

function fileQuery(db: DbOrTx) {
  return db
    .selectFrom("referralFile")
    .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
    .select([
      "referralFile.id",
      "referralFile.kind",
      "referralFile.radiographType as radiographType",
      "referralFile.uploadedAt as uploadedAt",
      "referralFile.uploaderId as uploaderId",
      "referralFile.messageId as messageId",
      "referralFile.materialLineId as materialLineId",
      "storedFile.id as storedFileId",
      "storedFile.fileName as fileName",
      "storedFile.mime",
      "storedFile.sizeBytes as sizeBytes",
      "storedFile.sha256",
      "storedFile.storageKey as storageKey",
      "storedFile.scanState as scanState",
      "storedFile.dicomCprHash as dicomCprHash",
      "storedFile.dicomFactsEncrypted as dicomFactsEncrypted",
      "storedFile.ownerConfirmedAt as ownerConfirmedAt",
      "storedFile.dicomSeriesHash as seriesHash",
      "storedFile.dicomSlice as slice",
      // Day of the exposure, `YYYY-MM-DD`; null if unknown.
      "storedFile.takenOn as takenOn",
      "storedFile.takenOnIsTyped",
    ])
    .where("referralFile.deletedAt", "is", null);
}

const toFile = ({
  takenOnIsTyped,
  ...row
}: Awaited<ReturnType<ReturnType<typeof fileQuery>["executeTakeFirstOrThrow"]>>) => ({
  ...row,
  kind: row.kind as FileKind,
  sizeBytes: Number(row.sizeBytes),
  /** Whether the file says the day of exposure itself; others can be typed. */
  saysTakenOn: row.takenOn !== null && !takenOnIsTyped,
});

export type ReferralFile = ReturnType<typeof toFile>;

/** Files of a referral that are no radiographs: every page of it reads them all. */
const MAX_OTHER_FILES = 300;

async function refuseTooMany(
  tx: Tx,
  referralId: ScopedReferralId,
  files: readonly { kind: FileKind }[],
): Promise<void> {
  const added = files.filter(({ kind }) => kind !== "radiograph").length;
  if (added === 0) return;
  const others = tx
    .selectFrom("referralFile")
    .where("referralId", "=", referralId)
    .where("kind", "<>", "radiograph")
    .where("deletedAt", "is", null);
  if ((await rowCount(others)) + added > MAX_OTHER_FILES)
    throw new Refusal("fileRefused", {
      text: `Henvisningen kan højst have ${MAX_OTHER_FILES} filer ud over røntgenbilleder. Saml dem i færre filer.`,
    });
}

/** Attaches stored files. Throws `fileRefused` beyond the limit of files that are no radiographs. */
export async function attachFiles(
  tx: Tx,
  referralId: ScopedReferralId,
  files: readonly (Pick<StagedFile, "storedFileId" | "kind"> & {
    radiographType: number | null;
    messageId?: number;
    materialLineId?: number | null;
  })[],
  uploaderId: number | null,
  now: Date,
): Promise<void> {
  if (files.length === 0) return;
  await refuseTooMany(tx, referralId, files);
  await tx
    .insertInto("referralFile")
    .values(
      files.map(({ storedFileId, kind, radiographType, messageId, materialLineId }) => ({
        referralId,
        kind,
        radiographType,
        storedFileId,
        uploadedAt: toMoment(now),
        uploaderId,
        deletedAt: null,
        messageId: messageId ?? null,
        materialLineId: materialLineId ?? null,
      })),
    )
    .execute();
}

export async function hideFiles(
  tx: Tx,
  referralId: ScopedReferralId,
  fileIds: number[],
  now: Date,
  purgeAfterDays: number,
): Promise<number> {
  if (fileIds.length === 0) return 0;
  const hidden = await tx
    .updateTable("referralFile")
    .set({ deletedAt: toMoment(now) })
    .where("referralId", "=", referralId)
    .where("id", "in", fileIds)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  const purgeAfter = toMoment(addDays(now, purgeAfterDays));
  await tx
    .updateTable("storedFile")
    .set({ purgeAfter })
    .where("id", "in", tx.selectFrom("referralFile").select("storedFileId").where("id", "in", fileIds))
    .execute();
  return Number(hidden.numUpdatedRows);
}

export async function isHidden(tx: DbOrTx, referralId: ScopedReferralId, fileId: number): Promise<boolean> {
  const hidden = await tx
    .selectFrom("referralFile")
    .select("id")
    .where("id", "=", fileId)
    .where("referralId", "=", referralId)
    .where("deletedAt", "is not", null)
    .executeTakeFirst();
  return hidden !== undefined;
}

/** The newest deleted files that can be restored; a whole series fits. */
export async function findHiddenFiles(db: DbOrTx, referralId: ScopedReferralId, now: Date) {
  const rows = await db
    .selectFrom("referralFile")
    .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
    .select([
      "referralFile.id",
      "referralFile.kind",
      "storedFile.fileName as fileName",
      "storedFile.sha256",
      "storedFile.dicomSeriesHash as seriesHash",
      "storedFile.dicomSlice as slice",
      "referralFile.deletedAt as deletedAt",
      "storedFile.purgeAfter as purgeAfter",
    ])
    .$narrowType<{ deletedAt: NotNull; purgeAfter: NotNull }>()
    .where("referralFile.referralId", "=", referralId)
    .where("referralFile.deletedAt", "is not", null)
    .where("storedFile.purgeAfter", ">", toMoment(now))
    .orderBy("referralFile.deletedAt", "desc")
    .orderBy("referralFile.id", "desc")
    .limit(MAX_RADIOGRAPHS)
    .execute();
  if (rows.length === 0) return [];
  const shown = new Set((await findFiles(db, referralId)).map(({ kind, sha256 }) => `${kind} ${sha256}`));
  return rows.map(({ sha256, ...row }) => ({
    ...row,
    kind: row.kind as FileKind,
    isThereAgain: shown.has(`${row.kind} ${sha256}`),
  }));
}

/** Restores hidden files that are not due for purging; returns whether any was. */
export async function unhideFiles(
  tx: Tx,
  referralId: ScopedReferralId,
  fileIds: readonly number[],
  now: Date,
): Promise<boolean> {
  const isAnyShown = await changesAny(
    tx
      .updateTable("referralFile")
      .set({ deletedAt: null })
      .where("id", "in", fileIds)
      .where("referralId", "=", referralId)
      .where("deletedAt", "is not", null)
      .where("storedFileId", "in", tx.selectFrom("storedFile").select("id").where("purgeAfter", ">", toMoment(now))),
  );
  if (!isAnyShown) return false;
  await tx
    .updateTable("storedFile")
    .set({ purgeAfter: null })
    .where("id", "in", tx.selectFrom("referralFile").select("storedFileId").where("id", "in", fileIds))
    .execute();
  return true;
}

/** Serialises transactions that add images to a referral; changes nothing. */
export async function lockRadiographs(tx: Tx, referralId: ScopedReferralId): Promise<void> {
  await tx
    .updateTable("referral")
    .set((eb) => ({ hasRadiographs: eb.ref("hasRadiographs") }))
    .where("id", "=", referralId)
    .execute();
}

export async function updateRadiographTypes(tx: Tx, fileIds: readonly number[], radiographType: number): Promise<void> {
  await tx.updateTable("referralFile").set({ radiographType }).where("id", "in", fileIds).execute();
}

export async function updateRadiographsSendType(tx: Tx, referralId: ScopedReferralId, type: number): Promise<void> {
  await tx.updateTable("referral").set({ radiographsSendType: type }).where("id", "=", referralId).execute();
}

export async function refreshRadiographMark(tx: Tx, referralId: ScopedReferralId): Promise<void> {
  const one = await tx
    .selectFrom("referralFile")
    .select("id")
    .where("referralId", "=", referralId)
    .where("kind", "=", "radiograph")
    .where("deletedAt", "is", null)
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable("referral")
    .set({ hasRadiographs: one !== undefined })
    .where("id", "=", referralId)
    .execute();
}
