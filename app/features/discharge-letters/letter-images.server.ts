import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { findDicomOwners } from "./discharge-letter-store.server";

/** Refuses DICOM files that name another patient. Throws `fileRefused`. */
export async function refuseOthersImages(
  { tx }: Pick<ChangeContext, "tx">,
  row: ReferralRow,
  storedFileIds: readonly number[],
): Promise<void> {
  const others = (await findDicomOwners(tx, storedFileIds)).filter(
    ({ dicom_cpr_hash: owner }) => owner !== null && owner !== row.cpr_hash,
  );
  if (others.length > 0)
    throw new Refusal("fileRefused", {
      fields: {
        letterImages: others.map(({ file_name: name }) => `${name}: DICOM-filen er en anden patients.`),
      },
    });
}
