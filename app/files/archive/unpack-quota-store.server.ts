import { subDays } from "date-fns";
import type { Db } from "~db/connection.server";
import { countStagedBytes } from "~/files/staging/staged-upload-store.server";
import { toMoment } from "~/text/dates";
import { archiveTexts, unpackLimits } from "./archive-rules";

export interface UnpackQuota {
  bytes: number;
  text: string;
}

/**
 * Remaining unpacked bytes of a person: per day over everything attached or waiting, and per referral. Sent bytes say
 * nothing, since a ZIP can expand a thousandfold.
 */
export async function openUnpackQuota(
  db: Db,
  { personId, referralId }: { personId: number | null; referralId: number | null },
  now: Date,
): Promise<UnpackQuota> {
  const ofPerson = personId === null ? 0 : await countAttachedOf(db, personId, subDays(now, 1));
  const ofReferral = referralId === null ? 0 : await countAttachedTo(db, referralId);
  const today = { bytes: unpackLimits.personADay - ofPerson, text: archiveTexts.dayFull };
  const there = { bytes: unpackLimits.referral - ofReferral, text: archiveTexts.referralFull };
  return there.bytes < today.bytes ? there : today;
}

/** Deleted files count until purged, as they still take space. */
export async function countAttachedOf(db: Db, personId: number, since: Date): Promise<number> {
  const { bytes } = await db
    .selectFrom("referralFile")
    .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
    .select((eb) => eb.fn.sum<number | null>("storedFile.sizeBytes").as("bytes"))
    .where("referralFile.uploaderId", "=", personId)
    .where("referralFile.uploadedAt", ">=", toMoment(since))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0) + (await countStagedBytes(db, personId));
}

async function countAttachedTo(db: Db, referralId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom("referralFile")
    .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
    .select((eb) => eb.fn.sum<number | null>("storedFile.sizeBytes").as("bytes"))
    .where("referralFile.referralId", "=", referralId)
    .where("referralFile.deletedAt", "is", null)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}
