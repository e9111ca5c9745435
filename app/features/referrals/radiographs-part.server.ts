import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { findUnfinished, receivedBytes } from "~/features/images/partial-uploads.server";
import type { Portal } from "~/portal.server";
import type { ReferralFile } from "./referral-file-store.server";
import type { ReferralRow } from "./referral-store.server";

/**
 * The images of a referral as its upload part shows them, and what the person has begun to upload and not finished: after a reload the
 * browser knows nothing of it (design/decisions.md, Without and with JavaScript).
 */
export async function radiographsPart({ db, portal, person }: { db: DbOrTx; portal: Portal; person: Person }, row: ReferralRow, files: readonly ReferralFile[]) {
  const cpr = portal.secrets.decrypt("cpr", row.cpr_encrypted ?? "");
  // A DICOM header that names another CPR number is warned of; a file kept under the former key counts as well.
  const ownHashes = cpr === null ? [] : portal.secrets.lookups("cpr", cpr);
  const unfinished = await findUnfinished(db, person.id, row.id);
  return {
    images: files
      .filter((file) => file.kind === "radiograph")
      .map((file) => ({
        id: file.id,
        fileName: file.fileName,
        sizeBytes: file.sizeBytes,
        type: file.radiographType ?? 0,
        isScanned: file.scanState === "clean",
        isOfAnother: file.dicomCprHash !== null && !ownHashes.includes(file.dicomCprHash),
      })),
    unfinished: await Promise.all(
      unfinished.map(async ({ id, fileName, sizeBytes, lastModified, radiographType }) => ({
        id,
        fileName,
        sizeBytes,
        lastModified,
        type: radiographType,
        receivedBytes: (await receivedBytes(portal.config.dataDir, id)) ?? 0,
      })),
    ),
  };
}
