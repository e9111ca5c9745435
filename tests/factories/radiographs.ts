import { writeFile } from "node:fs/promises";
import path from "node:path";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { addRadiographs } from "~/features/referrals/images/add-radiographs.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-upload.server";
import type { TestPortal } from "../support/test-portal";

let turn = 0;

/** Uploads a drawn image to a sent referral, as its dialog does: a JPEG, or a DICOM file that names another patient. Answers its bytes. */
export async function aRadiograph(
  portal: TestPortal,
  who: Person,
  referralId: number,
  fileName: string,
  type: 0 | 4 = 0,
): Promise<Buffer> {
  const patient = { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" };
  const bytes = await drawRadiograph({ type, format: type === 4 ? "dcm" : "jpg", seed: (turn += 1), patient });
  await uploadRadiograph(portal, who, referralId, fileName, { bytes, type });
  return bytes;
}

export async function uploadRadiograph(
  portal: TestPortal,
  who: Person,
  referralId: number,
  fileName: string,
  { bytes, type }: { bytes: Buffer; type: 0 | 4 },
): Promise<void> {
  const formKey = `radiograph-${(turn += 1)}`;
  const file = path.join(portal.config.dataDir, formKey);
  await writeFile(file, bytes);
  const result = await storeUpload(portal, file, fileName, "radiograph");
  if ("refused" in result) throw new Error(result.refused);
  const files = [{ ...result.accepted, field: "radiographs", kind: "radiograph" }];
  await portal.as(who, stageUploads, { formKey, files });
  await portal.as(who, addRadiographs, { referralId, formKey, radiographType: type });
}
