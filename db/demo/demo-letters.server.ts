import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { execute, plainInput } from "~/access/operation.server";
import { beginLetter, uploadLetter, uploadLetterImages } from "~/features/discharge-letters/upload-letter.server";
import type { FileKind } from "~/files/file-rules";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-upload.server";
import type { SendResult } from "~/gateways/sending/port";
import { letterPdf } from "./demo-documents.server";
import { callerOf, type Story } from "./demo-scenario";

const FULL: SendResult = { outcome: "refused", detail: "550 Postkassen findes ikke", reason: "noMailbox" };

/**
 * Discharge letters of a closed referral: most are sent, some with an image; a few have failed twice, and a few have a
 * second one as a draft.
 */
export async function addLetters(story: Story, referralId: number): Promise<void> {
  const { past, providers, clock, staff, referrer, ediId } = story;
  const by = staff[0]!;
  if (ediId !== null && referralId % 3 === 0)
    await past.db
      .updateTable("user")
      .set({ send_ending_letters_via_edi: 1, edi_dentist_id: "5790000120345" })
      .where("id", "=", referrer.id)
      .execute();
  await sendLetter(story, referralId, 1);
  if (referralId % 2 === 0) await addImage(story, referralId, 1);
  const fails = referralId % 9 === 5;
  await providers.deliver("email", fails ? FULL : undefined);
  if (fails) {
    clock.pass(1.5);
    await providers.deliver("email", FULL);
  }
  if (referralId % 7 === 2) {
    clock.pass(1);
    await sendLetter(story, referralId, 2);
    await providers.deliver("email");
  }
  await providers.deliver("edi");
  if (referralId % 5 === 1) await providers.as(by, beginLetter, { referralId });
}

async function sendLetter(story: Story, referralId: number, letterNumber: number): Promise<void> {
  const { providers, staff, patient, case: filled } = story;
  const pdf = await letterPdf([
    `Udskrivningsbrev, henvisning nr. ${referralId}`,
    `${patient.firstName} ${patient.lastName}`,
    filled.desiredTreatment,
    "Forløbet har været uden komplikationer. Suturer fjernes hos egen tandlæge efter en uge.",
  ]);
  const name = `Udskrivningsbrev_${referralId}_${letterNumber}.pdf`;
  const formKey = await stage(story, { name, bytes: pdf, field: "letterPdf", kind: "letter" });
  await providers.as(staff[0]!, uploadLetter, { referralId, letterNumber, formKey });
}

async function addImage(story: Story, referralId: number, letterNumber: number): Promise<void> {
  const { pictures, providers, staff } = story;
  const [picture] = [...pictures.values()].flat().filter(({ format }) => format !== "dcm");
  if (picture === undefined) return;
  const { bytes, format } = picture;
  const name = `kontrol_${referralId}.${format}`;
  const formKey = await stage(story, { name, bytes, field: "letterImages", kind: "radiograph" });
  await providers.as(staff[0]!, uploadLetterImages, { referralId, letterNumber, formKey });
}

async function stage(
  { past, staff }: Story,
  { name, bytes, field, kind }: { name: string; bytes: Buffer; field: string; kind: FileKind },
): Promise<string> {
  const formKey = `demo-${name}`;
  const folder = path.join(past.config.dataDir, "incoming");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, formKey);
  await writeFile(file, bytes);
  const result = await storeUpload(past, file, name, kind);
  await rm(file, { force: true });
  if ("refused" in result) throw new Error(`demo letter: ${result.refused}`);
  await execute(
    past,
    callerOf(staff[0]!),
    stageUploads,
    plainInput({ formKey, files: [{ ...result.accepted, field, kind }] }),
  );
  return formKey;
}
