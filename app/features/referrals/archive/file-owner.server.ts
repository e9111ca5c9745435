import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { Scoped } from "~/access/scope.server";
import { unsealDicomFacts } from "~/files/dicom/dicom-facts-seal.server";
import { type ExportedImage, findExportedImages } from "~/features/referrals/store/archive-export-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { fullName } from "~/text/names";
import type { Db } from "~db/connection.server";
import { type Difference, differencesOf, type NamedPatient } from "./image-identity";

export const referralPatient = ({ secrets }: { secrets: Secrets }, row: ReferralRow) => ({
  cpr: sealedCpr.open(secrets, row),
  name: fullName(row),
});

/** The patient that a file names, as far as its stored header data say. `facts`: null when none were stored. */
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

/** An image that is withheld from the archive, with what its file says otherwise than the referral. */
export interface WithheldImage {
  fileId: number;
  /** Empty where the file is the patient's by now. */
  differences: Difference[];
}

/** The referral's images that are withheld. */
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
