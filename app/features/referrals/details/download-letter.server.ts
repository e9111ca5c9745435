import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { zipOf } from "~/files/zip.server";
import { findDischargeLetter, findLetterFile } from "~/features/referrals/store/discharge-letter-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";

const oneLetter = z.object({
  referralId: z.coerce.number().int().positive(),
  letterNumber: z.coerce.number().int().positive(),
  kind: z.enum(["pdf", "zip"]).catch("pdf"),
  /** The user whom the link was mailed to, for the audit alone: who opens it needs the referral in their own scope. */
  mailedTo: z.coerce.number().int().positive().nullish().catch(null),
});

/**
 * A discharge letter, or the letter and its images as a ZIP. A draw
 * by a mailed link says in the audit whom it was mailed to. Throws `notInScope` and `fileMissing`.
 */
export const downloadLetter = read({
  name: "downloadLetter",
  permission: "referral.read",
  input: oneLetter,
  async run({ db, actor, portal, auditRead }, { referralId, letterNumber, kind, mailedTo }) {
    const row = await findReferral(db, actor, referralId);
    const letter = await findDischargeLetter(db, row.id, letterNumber);
    if (!letter) throw new Refusal("notInScope");
    const [document, images] = [
      await findServed(db, letter.diagnosis_file_id),
      await findServed(db, letter.radiograph_file_id),
    ];
    auditRead([referralId], mailedTo ? `mailed to user ${mailedTo}` : undefined);
    if (kind === "pdf") {
      if (!document) throw new Refusal("fileMissing", { text: "Pdf-filen mangler" });
      return {
        fileName: document.file_name,
        mime: "application/pdf",
        sizeBytes: document.size_bytes,
        disposition: "attachment" as const,
        open: () => portal.files.openRead(document.storage_key),
      };
    }
    const files = [document, images].filter((file) => file !== null);
    if (files.length === 0) throw new Refusal("fileMissing", { text: "Pdf-filen mangler" });
    return {
      fileName: `Udskrivningsbrev_${referralId}_${letterNumber}.zip`,
      mime: "application/zip",
      disposition: "attachment" as const,
      open: () =>
        zipOf(
          files.map((file) => ({
            fileName: file.file_name,
            open: async () => portal.files.openRead(file.storage_key),
          })),
        ),
    };
  },
});

/** A file that may be served: infected ones are served to nobody. */
async function findServed(db: DbOrTx, id: number | null) {
  if (id === null) return null;
  const file = await findLetterFile(db, id);
  return file && file.scan_state !== "infected" ? file : null;
}
