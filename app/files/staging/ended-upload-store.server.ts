import { subDays } from "date-fns";
import type { Db } from "~db/connection.server";
import type { FileStore } from "~/gateways/file-store/port";
import { toMoment } from "~/text/dates";
import { deletePart, findEndedWithParts, findParts } from "./upload-part-store.server";

interface UploadPlace {
  db: Db;
  files: FileStore;
}

/** Removes an upload's parts once its outcome is committed, and the assembled file if no row refers to it. */
export async function removePartial({ db, files }: UploadPlace, id: string): Promise<void> {
  const row = await db.selectFrom("partial_upload").select("state").where("id", "=", id).executeTakeFirst();
  if (row?.state === "arriving") return;
  if (row?.state !== "kept") await files.remove(id);
  for (const { start, storageKey } of await findParts(db, id)) {
    await files.remove(storageKey);
    await deletePart(db, id, start);
  }
}

const BATCH_SIZE = 500;

/** Days that missing files of a referral are known. */
const LOST_KNOWN_DAYS = 30;

/**
 * Removes abandoned uploads, leftover parts, and old records. The age counts from the last part, since 1 GB on a slow
 * connection may take days. Awaited ones stay; missing or refused ones are known for LOST_KNOWN_DAYS.
 */
export async function removeAbandonedUploads(place: UploadPlace, olderThan: Date): Promise<void> {
  const { db } = place;
  const before = toMoment(olderThan);
  const silent = await db
    .selectFrom("partial_upload")
    .select("id")
    .where("created_at", "<", before)
    .where("state", "=", "arriving")
    .where("awaited_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("partial_upload_part as part")
            .select("part.upload_id")
            .whereRef("part.upload_id", "=", "partial_upload.id")
            .where("part.created_at", ">=", before),
        ),
      ),
    )
    .limit(BATCH_SIZE)
    .execute();
  for (const { id } of silent) {
    await db.deleteFrom("partial_upload").where("id", "=", id).where("state", "=", "arriving").execute();
    await removePartial(place, id);
  }
  for (const id of await findEndedWithParts(db, BATCH_SIZE)) await removePartial(place, id);
  const ended = await db
    .selectFrom("partial_upload")
    .select("id")
    .where("created_at", "<", before)
    .where("state", "!=", "arriving")
    .where((eb) =>
      eb.or([
        eb("awaited_at", "is", null),
        eb("refusal", "is", null),
        eb("created_at", "<", toMoment(subDays(olderThan, LOST_KNOWN_DAYS))),
      ]),
    )
    .limit(BATCH_SIZE)
    .execute();
  if (ended.length > 0)
    await db
      .deleteFrom("partial_upload")
      .where(
        "id",
        "in",
        ended.map(({ id }) => id),
      )
      .execute();
}
