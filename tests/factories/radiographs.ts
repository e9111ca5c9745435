import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { addRadiographs } from "~/features/referrals/images/add-radiographs.server";
import type { TestPortal } from "../support/test-portal";
import { aStagedFile } from "./uploads";

let turn = 0;

/** Uploads a drawn JPEG, or a DICOM naming another patient, to a sent referral; returns its bytes. */
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
  await aStagedFile(portal, who, formKey, { fileName, content: bytes, kind: "radiograph" });
  await portal.as(who, addRadiographs, { referralId, formKey, radiographType: type });
}
