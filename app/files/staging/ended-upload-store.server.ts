import { subDays } from "date-fns";
import type { Db } from "~db/connection.server";
import type { FileStore } from "~/gateways/file-store/port";
import { toMoment } from "~/text/dates";
import { deletePart, findEndedWithParts, findParts } from "./upload-part-store.server";

interface UploadPlace {
  db: Db;
  files: FileStore;
}

/**
 * Removes the pieces of an upload once its outcome is committed. The store has a complete upload under the upload's own id
 * before a row refers to it; without such a row, that is removed as well.
 */
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

/** What a referral was sent without, and never got, is told for so many days from when it was begun. */
const LOST_KNOWN_DAYS = 30;

/**
 * Clears away uploads that nothing has come to since `olderThan`, pieces that nobody goes on with, and the record of those that ended before it. The
 * clock is that of the latest piece: a gigabyte on a slow connection may take more than a day and is not cut off. What somebody waits for stays,
 * until they wait no more; that it never came, or was refused, is known for LOST_KNOWN_DAYS.
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
