import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { execute, plainInput } from "~/access/operation.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { addRadiographs } from "~/features/referrals/images/add-radiographs.server";
import { type DrawnFormat, type DrawnType, drawInFormats, drawRadiograph } from "./content/drawn-images.server";
import { callerOf, type Pictures, type Story } from "./demo-scenario.server";

const drawn: { type: DrawnType; formats: DrawnFormat[] }[] = [
  { type: 0, formats: ["jpg", "png", "bmp"] },
  { type: 1, formats: ["jpg"] },
  { type: 2, formats: ["jpg", "png"] },
  { type: 3, formats: ["jpg"] },
];

/**
 * Draws a picture of each type once and uses it again; DICOM files are written per patient, since they contain the name.
 */
export async function drawPictures(): Promise<Pictures> {
  const pictures: Pictures = new Map();
  for (const { type, formats } of drawn) {
    const made = await drawInFormats(type, 1, formats);
    pictures.set(
      type,
      made.map((bytes, index) => ({ format: formats[index]!, bytes })),
    );
  }
  return pictures;
}

const typeOf = { intraoral: 0, photo: 1, panorama: 2, cephalogram: 3, dicom: 4 } as const;
const nameOf = ["intraoralt", "foto", "OPG", "ceph", "CBCT"];

export async function addPictures(
  { past, clock, random, patient, pictures, case: filled, writer }: Story,
  referralId: number,
  formKey: string,
): Promise<void> {
  const folder = path.join(past.config.dataDir, "incoming");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const day = clock.at.toISOString().slice(0, 10);
  for (const [index, kind] of [...new Set(filled.pictures)].slice(0, random.integer(1, 3)).entries()) {
    const type = typeOf[kind];
    const picture =
      type === 4
        ? {
            format: "dcm" as const,
            bytes: await drawRadiograph({ type, format: "dcm", seed: 1, patient, studyDate: day }),
          }
        : random.pick(pictures.get(type) ?? []);
    const fileName = `${[nameOf[type], filled.tooth, day.replaceAll("-", ""), ...(index > 0 ? [index + 1] : [])].filter(Boolean).join("_")}.${picture.format}`;
    const file = path.join(folder, `demo-${referralId}-${index}`);
    // Other bytes for every referral, behind the picture's end: the same image with two patients is a warning.
    await writeFile(
      file,
      type === 4 ? picture.bytes : Buffer.concat([picture.bytes, Buffer.from(fileName + referralId)]),
    );
    const result = await storeUpload(past, file, fileName, "radiograph", { requestedBy: "demo" });
    await rm(file, { force: true });
    if ("refused" in result) throw new Error(`demo picture ${fileName}: ${result.refused}`);
    await execute(
      past,
      callerOf(writer),
      stageUploads,
      plainInput({ formKey, files: [{ ...result.accepted, field: "radiographs", kind: "radiograph" }] }),
    );
    await execute(past, callerOf(writer), addRadiographs, plainInput({ referralId, formKey, radiographType: type }));
  }
}
