import type { Db, DbOrTx, Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { ScopedReferralId } from "~/access/scope.server";
import type { Outcome } from "~/features/delivery/delivery-outcome";
import { toMoment } from "~/text/dates";

export interface ExportedImage {
  fileId: number;
  storedFileId: number;
  storageKey: string;
  fileName: string;
  mime: string;
  radiographType: number | null;
  uploadedAt: string;
  scanState: string;
  dicomCprHash: string | null;
  dicomFactsEncrypted: string | null;
  ownerConfirmedAt: string | null;
  export: {
    id: number;
    outboxId: number;
    outcome: Outcome;
    detail: string | null;
    settledAt: string | null;
    withheldAt: string | null;
    releasedAt: string | null;
    correctedAt: string | null;
    isLeaving: boolean;
    mayHaveLeft: boolean;
  } | null;
}

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
      "file.id",
      "file.radiograph_type",
      "file.uploaded_at",
      "stored.id as stored_file_id",
      "stored.storage_key",
      "stored.file_name",
      "stored.mime",
      "stored.scan_state",
      "stored.dicom_cpr_hash",
      "stored.dicom_facts_encrypted",
      "stored.owner_confirmed_at",
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

const imageOf = (row: Row): ExportedImage => ({
  fileId: row.id,
  storedFileId: row.stored_file_id,
  storageKey: row.storage_key,
  fileName: row.file_name,
  mime: row.mime,
  radiographType: row.radiograph_type,
  uploadedAt: row.uploaded_at,
  scanState: row.scan_state,
  dicomCprHash: row.dicom_cpr_hash,
  dicomFactsEncrypted: row.dicom_facts_encrypted,
  ownerConfirmedAt: row.owner_confirmed_at,
  export:
    row.export_id === null || row.outbox_id === null
      ? null
      : {
          id: row.export_id,
          outboxId: row.outbox_id,
          outcome: row.outcome!,
          detail: row.detail,
          settledAt: row.settled_at,
          withheldAt: row.held_at,
          releasedAt: row.released_at,
          correctedAt: row.corrected_at,
          isLeaving: row.sending_since !== null,
          mayHaveLeft: row.provider_reference !== null,
        },
});

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
