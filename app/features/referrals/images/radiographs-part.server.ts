import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { findUnfinished } from "~/files/staging/partial-upload-store.server";
import { countReceived } from "~/files/staging/upload-part-store.server";
import type { Portal } from "~/portal.server";
import { mayRetype } from "./change-radiographs.server";
import type { ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/**
 * The images of a referral as its upload part shows them, and what the person has begun to upload and not finished: after a reload the
 * browser knows nothing of it.
 */
export async function radiographsPart(
  { db, portal, person }: { db: DbOrTx; portal: Portal; person: Person },
  row: ReferralRow,
  files: readonly ReferralFile[],
) {
  const isOfAnother = isOfAnotherPatient(portal.secrets, row);
  const unfinished = await findUnfinished(db, person.id, row.id);
  const received = await countReceived(
    db,
    unfinished.map(({ id }) => id),
  );
  return {
    images: files
      .filter((file) => file.kind === "radiograph")
      .map((file) => ({
        id: file.id,
        fileName: file.fileName,
        sizeBytes: file.sizeBytes,
        type: file.radiographType ?? 0,
        isScanned: file.scanState === "clean",
        isOfAnother: isOfAnother(file),
        mayRetype: mayRetype(person, file),
      })),
    unfinished: unfinished.map(({ id, fileName, sizeBytes, lastModified, radiographType }) => ({
      id,
      fileName,
      sizeBytes,
      lastModified,
      type: radiographType,
      receivedBytes: received.get(id) ?? 0,
    })),
  };
}

/** Whether a DICOM header names another CPR number than the referral's; a file kept under the former key counts as one's own. */
export function isOfAnotherPatient(
  secrets: Secrets,
  row: ReferralRow,
): (file: Pick<ReferralFile, "dicomCprHash">) => boolean {
  const cpr = sealedCpr.open(secrets, row);
  const ownHashes = cpr === null ? [] : secrets.lookups("cpr", cpr);
  return ({ dicomCprHash }) => dicomCprHash !== null && !ownHashes.includes(dicomCprHash);
}
