import { withoutIndex } from "~db/without-index";
import type { Db, DbOrTx, Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

function imageQuery(db: DbOrTx) {
  return db
    .selectFrom("referralFile as file")
    .innerJoin("storedFile as stored", "stored.id", "file.storedFileId")
    .leftJoin("archiveExport as export", (join) =>
      join.onRef("export.referralId", "=", "file.referralId").onRef("export.storedFileId", "=", "file.storedFileId"),
    )
    .leftJoin("outbox", "outbox.id", "export.outboxId")
    .select([
      "file.id as fileId",
      "file.referralId as referralId",
      "file.radiographType as radiographType",
      "file.uploadedAt as uploadedAt",
      "stored.id as storedFileId",
      "stored.storageKey as storageKey",
      "stored.fileName as fileName",
      "stored.sha256",
      "stored.mime",
      "stored.scanState as scanState",
      "stored.dicomCprHash as dicomCprHash",
      "stored.dicomFactsEncrypted as dicomFactsEncrypted",
      "stored.ownerConfirmedAt as ownerConfirmedAt",
      "export.id as exportId",
      "export.heldAt",
      "export.releasedAt",
      "export.correctedAt",
      "outbox.id as outboxId",
      "outbox.outcome",
      "outbox.detail",
      "outbox.settledAt",
      "outbox.sendingSince",
      "outbox.providerReference",
    ])
    .where("file.kind", "=", "radiograph")
    .where("file.deletedAt", "is", null);
}

type Row = Awaited<ReturnType<ReturnType<typeof imageQuery>["executeTakeFirstOrThrow"]>>;

const imageOf = ({
  exportId: id,
  outboxId,
  outcome,
  detail,
  settledAt,
  heldAt: withheldAt,
  releasedAt,
  correctedAt,
  sendingSince,
  providerReference: reference,
  ...image
}: Row) => ({
  ...image,
  export:
    id === null || outboxId === null
      ? null
      : {
          id,
          outboxId,
          outcome: outcome!,
          detail,
          settledAt,
          withheldAt,
          releasedAt,
          correctedAt,
          isLeaving: sendingSince !== null,
          mayHaveLeft: reference !== null,
        },
});

export type ExportedImage = ReturnType<typeof imageOf>;

export async function findExportedImages(db: DbOrTx, referralId: ScopedReferralId): Promise<ExportedImage[]> {
  const rows = await imageQuery(db).where("file.referralId", "=", referralId).orderBy("file.id").execute();
  return rows.map(imageOf);
}

/** The image of a message; undefined if deleted or sent by a newer message. */
export async function findImageOfMessage(db: DbOrTx, outboxId: number): Promise<ExportedImage | undefined> {
  const row = await imageQuery(db).where("export.outboxId", "=", outboxId).executeTakeFirst();
  return row && imageOf(row);
}

/**
 * Whether another patient's image with the same DICOM UID is in the archive or on its way. Patients are compared by CPR
 * hash.
 */
export async function isAnothersInstance(
  db: DbOrTx,
  storedFileId: number,
  { cprHash: own }: { cprHash: string | null },
): Promise<boolean> {
  const found = await db
    .selectFrom("storedFile as this")
    .innerJoin("storedFile as other", "other.dicomInstanceHash", "this.dicomInstanceHash")
    .innerJoin("archiveExport as export", "export.storedFileId", "other.id")
    .innerJoin("referralFile as file", (join) =>
      join.onRef("file.storedFileId", "=", "other.id").onRef("file.referralId", "=", "export.referralId"),
    )
    .innerJoin("referral", "referral.id", "export.referralId")
    .innerJoin("outbox", "outbox.id", "export.outboxId")
    .select("other.id")
    .where("this.id", "=", storedFileId)
    .where("referral.cprHash", "!=", own ?? "")
    .where("file.deletedAt", "is", null)
    .where((eb) =>
      eb.or([
        eb("outbox.outcome", "in", ["sent", "awaiting", "unknown"]),
        eb("outbox.providerReference", "is not", null),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** More patients than this with one picture: it is a logo or a template. */
const MOST_PATIENTS = 3;
const MOST_REFERRALS = 100;

/** Numbers of other patients' sent referrals that have the same picture, oldest first; none for a logo. */
export async function findSamePicture(
  db: DbOrTx,
  { sha256 }: Pick<ExportedImage, "sha256">,
  { id, patientId: own }: { id: number; patientId: number | null },
): Promise<number[]> {
  const rows = await db
    .selectFrom("storedFile as stored")
    .innerJoin("referralFile as file", "file.storedFileId", "stored.id")
    .innerJoin("referral", "referral.id", "file.referralId")
    .select(["referral.id as referralId", "referral.patientId as patientId"])
    .where("stored.sha256", "=", sha256)
    .where("file.kind", "=", "radiograph")
    .where("file.deletedAt", "is", null)
    .where("referral.id", "!=", id)
    // The contents' index finds few rows; an index of these would go through all referrals.
    .where(withoutIndex<string>("referral.sentAt"), "is not", null)
    .where(withoutIndex<string>("referral.deletedAt"), "is", null)
    .where(withoutIndex<boolean>("referral.isTest"), "=", false)
    .where((eb) => eb.or([eb("referral.patientId", "is", null), eb("referral.patientId", "!=", own ?? 0)]))
    .distinct()
    .orderBy("referral.id")
    .limit(MOST_REFERRALS)
    .execute();
  // Without a CPR number each referral may be of a patient of its own.
  const patients = new Set(rows.map(({ referralId, patientId }) => patientId ?? `of ${referralId}`));
  return patients.size > MOST_PATIENTS ? [] : rows.map(({ referralId }) => referralId);
}

/** Images of other referrals that wait because of one of these contents. */
export async function findWithheldAlike(
  db: DbOrTx,
  contents: readonly string[],
  { id }: { id: number },
): Promise<ExportedImage[]> {
  if (contents.length === 0) return [];
  const rows = await imageQuery(db)
    .where("stored.sha256", "in", contents)
    .where("file.referralId", "!=", id)
    .where("export.heldAt", "is not", null)
    .where("outbox.outcome", "=", "failed")
    .where("outbox.reason", "=", "samePicture")
    .execute();
  return rows.map(imageOf);
}

export async function writeSending(
  tx: Tx,
  { referralId, image, outboxId }: { referralId: number; image: ExportedImage; outboxId: number },
  now: Date,
): Promise<void> {
  if (image.export !== null) {
    await tx
      .updateTable("archiveExport")
      .set({ outboxId, heldAt: null, correctedAt: null })
      .where("id", "=", image.export.id)
      .execute();
    return;
  }
  await tx
    .insertInto("archiveExport")
    .values({
      referralId,
      storedFileId: image.storedFileId,
      outboxId,
      createdAt: toMoment(now),
    })
    .execute();
}

export async function writeWithheld(tx: Tx, outboxId: number, now: Date): Promise<void> {
  await tx
    .updateTable("archiveExport")
    .set({ heldAt: toMoment(now) })
    .where("outboxId", "=", outboxId)
    .execute();
}

export async function writeReleased(tx: Tx, exportId: number, personId: number, now: Date): Promise<void> {
  await tx
    .updateTable("archiveExport")
    .set({ releasedBy: personId, releasedAt: toMoment(now) })
    .where("id", "=", exportId)
    .execute();
}

/** A corrected CPR number voids confirmations and marks unsent images for another check. */
export async function writeCorrected(tx: Tx, referralId: number, now: Date): Promise<void> {
  await tx
    .updateTable("archiveExport")
    .set({ releasedBy: null, releasedAt: null, correctedAt: toMoment(now) })
    .where("referralId", "=", referralId)
    .execute();
}

/** Marks the check as made with the present number; must be written before the number is read. */
export async function writeJudged(db: Db, outboxId: number): Promise<void> {
  await db
    .updateTable("archiveExport")
    .set({ correctedAt: null })
    .where("outboxId", "=", outboxId)
    .where("correctedAt", "is not", null)
    .execute();
}

export async function writeExportStatus(tx: Tx, referralId: number, status: number | null): Promise<void> {
  markReferrals(tx, [referralId]);
  await tx.updateTable("referral").set({ radiographExportStatus: status }).where("id", "=", referralId).execute();
}
