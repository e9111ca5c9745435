import type { Db, DbOrTx, Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

function imageQuery(db: DbOrTx) {
  return db
    .selectFrom("referral_file as file")
    .innerJoin("stored_file as stored", "stored.id", "file.stored_file_id")
    .leftJoin("archive_export as export", (join) =>
      join
        .onRef("export.referral_id", "=", "file.referral_id")
        .onRef("export.stored_file_id", "=", "file.stored_file_id"),
    )
    .leftJoin("outbox", "outbox.id", "export.outbox_id")
    .select([
      "file.id as fileId",
      "file.radiograph_type as radiographType",
      "file.uploaded_at as uploadedAt",
      "stored.id as storedFileId",
      "stored.storage_key as storageKey",
      "stored.file_name as fileName",
      "stored.mime",
      "stored.scan_state as scanState",
      "stored.dicom_cpr_hash as dicomCprHash",
      "stored.dicom_facts_encrypted as dicomFactsEncrypted",
      "stored.owner_confirmed_at as ownerConfirmedAt",
      "export.id as export_id",
      "export.held_at",
      "export.released_at",
      "export.corrected_at",
      "outbox.id as outbox_id",
      "outbox.outcome",
      "outbox.detail",
      "outbox.settled_at",
      "outbox.sending_since",
      "outbox.provider_reference",
    ])
    .where("file.kind", "=", "radiograph")
    .where("file.deleted_at", "is", null);
}

type Row = Awaited<ReturnType<ReturnType<typeof imageQuery>["executeTakeFirstOrThrow"]>>;

const imageOf = ({
  export_id: id,
  outbox_id: outboxId,
  outcome,
  detail,
  settled_at: settledAt,
  held_at: withheldAt,
  released_at: releasedAt,
  corrected_at: correctedAt,
  sending_since: sendingSince,
  provider_reference: reference,
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
  const rows = await imageQuery(db).where("file.referral_id", "=", referralId).orderBy("file.id").execute();
  return rows.map(imageOf);
}

/** The image of a message; undefined if deleted or sent by a newer message. */
export async function findImageOfMessage(db: DbOrTx, outboxId: number): Promise<ExportedImage | undefined> {
  const row = await imageQuery(db).where("export.outbox_id", "=", outboxId).executeTakeFirst();
  return row && imageOf(row);
}

/**
 * Whether another patient's image with the same DICOM UID is in the archive or on its way. Patients are compared by CPR
 * hash.
 */
export async function isAnothersInstance(
  db: DbOrTx,
  storedFileId: number,
  { cpr_hash: own }: { cpr_hash: string | null },
): Promise<boolean> {
  const found = await db
    .selectFrom("stored_file as this")
    .innerJoin("stored_file as other", "other.dicom_instance_hash", "this.dicom_instance_hash")
    .innerJoin("archive_export as export", "export.stored_file_id", "other.id")
    .innerJoin("referral_file as file", (join) =>
      join.onRef("file.stored_file_id", "=", "other.id").onRef("file.referral_id", "=", "export.referral_id"),
    )
    .innerJoin("referral", "referral.id", "export.referral_id")
    .innerJoin("outbox", "outbox.id", "export.outbox_id")
    .select("other.id")
    .where("this.id", "=", storedFileId)
    .where("referral.cpr_hash", "!=", own ?? "")
    .where("file.deleted_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("outbox.outcome", "in", ["sent", "awaiting", "unknown"]),
        eb("outbox.provider_reference", "is not", null),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function writeSending(
  tx: Tx,
  { referralId, image, outboxId }: { referralId: number; image: ExportedImage; outboxId: number },
  now: Date,
): Promise<void> {
  if (image.export !== null) {
    await tx
      .updateTable("archive_export")
      .set({ outbox_id: outboxId, held_at: null, corrected_at: null })
      .where("id", "=", image.export.id)
      .execute();
    return;
  }
  await tx
    .insertInto("archive_export")
    .values({
      referral_id: referralId,
      stored_file_id: image.storedFileId,
      outbox_id: outboxId,
      created_at: toMoment(now),
    })
    .execute();
}

export async function writeWithheld(tx: Tx, outboxId: number, now: Date): Promise<void> {
  await tx
    .updateTable("archive_export")
    .set({ held_at: toMoment(now) })
    .where("outbox_id", "=", outboxId)
    .execute();
}

export async function writeReleased(tx: Tx, exportId: number, personId: number, now: Date): Promise<void> {
  await tx
    .updateTable("archive_export")
    .set({ released_by: personId, released_at: toMoment(now) })
    .where("id", "=", exportId)
    .execute();
}

/** A corrected CPR number voids confirmations and marks unsent images for another check. */
export async function writeCorrected(tx: Tx, referralId: number, now: Date): Promise<void> {
  await tx
    .updateTable("archive_export")
    .set({ released_by: null, released_at: null, corrected_at: toMoment(now) })
    .where("referral_id", "=", referralId)
    .execute();
}

/** Marks the check as made with the present number; must be written before the number is read. */
export async function writeJudged(db: Db, outboxId: number): Promise<void> {
  await db
    .updateTable("archive_export")
    .set({ corrected_at: null })
    .where("outbox_id", "=", outboxId)
    .where("corrected_at", "is not", null)
    .execute();
}

export async function writeExportStatus(tx: Tx, referralId: number, status: number | null): Promise<void> {
  markReferrals(tx, [referralId]);
  await tx.updateTable("referral").set({ radiograph_export_status: status }).where("id", "=", referralId).execute();
}
