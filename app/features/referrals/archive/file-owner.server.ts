import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { Scoped } from "~/access/scope.server";
import { unsealDicomFacts } from "~/files/dicom/dicom-facts.server";
import { type ExportedImage, findExportedImages } from "~/features/referrals/store/archive-export-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { DICOM_MIME } from "~/files/file-rules";
import type { StoredFile } from "~/files/stored-file-store.server";
import { fullName } from "~/text/names";
import type { Db } from "~db/connection.server";
import { type Difference, differencesOf, type NamedPatient } from "./image-identity";

export const referralPatient = ({ secrets }: { secrets: Secrets }, row: ReferralRow) => ({
  cpr: sealedCpr.open(secrets, row),
  name: fullName(row),
});

/** The patient named by a file's stored header; `facts` null if none were stored. */
export function namedPatient(
  { secrets }: { secrets: Secrets },
  { dicomCprHash }: Pick<ExportedImage, "dicomCprHash">,
  referral: ReferralRow,
  facts: { patientName: string | null; birthDate?: string | null | undefined } | null,
): NamedPatient {
  const cpr = sealedCpr.open(secrets, referral);
  const isOwnCpr = dicomCprHash === null ? null : cpr !== null && secrets.lookups("cpr", cpr).includes(dicomCprHash);
  return { isOwnCpr, name: facts?.patientName ?? null, birthDate: facts?.birthDate ?? null };
}

type DescribedFile = Pick<
  StoredFile,
  "mime" | "storageKey" | "dicomCprHash" | "dicomFactsEncrypted" | "ownerConfirmedAt"
>;

/**
 * Differences between a file and the patient by the archive's rule; empty if the file names nobody or was confirmed.
 */
export function strangersIn({ secrets }: { secrets: Secrets }, row: ReferralRow, file: DescribedFile): Difference[] {
  if (file.mime !== DICOM_MIME || file.ownerConfirmedAt !== null) return [];
  const facts = unsealDicomFacts(secrets, file.storageKey, file.dicomFactsEncrypted);
  const found = differencesOf(namedPatient({ secrets }, file, row, facts), referralPatient({ secrets }, row));
  return found.filter(({ field }) => field !== "nobody");
}

export interface WithheldImage {
  fileId: number;
  /** Empty once the file matches the patient. */
  differences: Difference[];
}

export async function findWithheldImages(db: Db, secrets: Secrets, row: Scoped<ReferralRow>): Promise<WithheldImage[]> {
  const withheld: WithheldImage[] = [];
  for (const image of await findExportedImages(db, row.id)) {
    if (image.export?.outcome !== "failed" || image.export.withheldAt === null) continue;
    const facts = unsealDicomFacts(secrets, image.storageKey, image.dicomFactsEncrypted);
    const differences = differencesOf(namedPatient({ secrets }, image, row, facts), referralPatient({ secrets }, row));
    withheld.push({ fileId: image.fileId, differences });
  }
  return withheld;
}
