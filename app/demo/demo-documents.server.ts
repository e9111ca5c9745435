import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import PDFDocument from "pdfkit";
import { execute, plainInput } from "~/access/operation.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { callerOf, type Story } from "./demo-scenario.server";

/**
 * Adds a journal copy to some referrals and an approval to some that others pay for, chosen by CPR number so that the
 * other random values stay the same. Returns the form's fields about them.
 */
export async function addDocuments(
  story: Story,
  formKey: string,
  paymentType: number,
): Promise<{ approvalType?: number }> {
  const { patient, case: filled } = story;
  const draw = patient.cpr.charCodeAt(9) + patient.cpr.charCodeAt(3);
  const name = `${patient.firstName} ${patient.lastName}`;
  if (draw % 5 === 0)
    await hold(story, formKey, { field: "journals", kind: "journal" }, `Journal_${patient.lastName}.pdf`, [
      "Journalkopi",
      name,
      filled.diagnose ?? filled.desiredTreatment,
      filled.previousTreatment ?? "Ingen tidligere behandling.",
    ]);
  if (paymentType === 0 || draw % 3 !== 0) return {};
  await hold(story, formKey, { field: "approval", kind: "approval" }, "Bevilling.pdf", [
    "Bevilling",
    name,
    "Der bevilges tilskud til den henviste behandling, jf. overslag.",
    "Bevillingen gælder i seks måneder.",
  ]);
  return { approvalType: 0 };
}

async function hold(
  { past, writer }: Story,
  formKey: string,
  as: { field: string; kind: "journal" | "approval" },
  fileName: string,
  paragraphs: string[],
): Promise<void> {
  const folder = path.join(past.config.dataDir, "incoming");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `paper-${formKey}`);
  await writeFile(file, await letterPdf(paragraphs));
  const result = await storeUpload(past, file, fileName, as.kind, { requestedBy: "demo" });
  await rm(file, { force: true });
  if ("refused" in result) throw new Error(`demo paper ${fileName}: ${result.refused}`);
  await execute(past, callerOf(writer), stageUploads, plainInput({ formKey, files: [{ ...result.accepted, ...as }] }));
}

export function letterPdf(paragraphs: string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: "A4", margin: 72 });
    const parts: Buffer[] = [];
    document.on("data", (part: Buffer) => parts.push(part));
    document.once("end", () => resolve(Buffer.concat(parts)));
    document.once("error", reject);
    for (const [index, text] of paragraphs.entries())
      document
        .fontSize(index === 0 ? 18 : 11)
        .text(text)
        .moveDown();
    document.end();
  });
}
