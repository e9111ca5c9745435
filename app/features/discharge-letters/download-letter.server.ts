import { z } from "zod";
import type { Actor } from "~/access/actor";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { findReferral } from "~/features/referrals/details/messaged-referral.server";
import { findStoredFiles } from "~/files/stored-file-store.server";
import { zipOf } from "~/files/zip.server";
import { findLetter, findLetterImages } from "./store.server";
import { NO_PDF_TEXT } from "./letter-rules";
import { oneLetter } from "./open-letter.server";

const inputSchema = oneLetter.extend({
  /** The letter, a ZIP of letter and images, or the images (a single one unzipped). */
  kind: z.enum(["pdf", "zip", "images"]).catch("pdf"),
  /** User whom the link was mailed to, for the audit only; opening needs the referral in scope. */
  mailedTo: z.coerce.number().int().positive().nullish().catch(null),
});

export const areLettersHidden = (actor: Actor, row: { declines_discharge_letter: number }) =>
  row.declines_discharge_letter === 1 && !can(actor, "dischargeLetter.manage");

/**
 * Downloads a letter, its ZIP, or its images. A mailed link's recipient is audited. Throws `notInScope` and
 * `fileMissing`.
 */
export const downloadLetter = read({
  name: "downloadLetter",
  permission: "referral.read",
  input: inputSchema,
  async run({ db, actor, portal, auditRead }, { referralId, letterNumber, kind, mailedTo }) {
    const row = await findReferral(db, actor, referralId);
    const letter = areLettersHidden(actor, row) ? undefined : await findLetter(db, row.id, letterNumber);
    if (!letter) throw new Refusal("notInScope", { text: "Udskrivningsbrevet findes ikke." });
    const pdf =
      kind === "images" || letter.diagnosis_file_id === null
        ? []
        : await findStoredFiles(db, [letter.diagnosis_file_id]);
    const images = kind === "pdf" ? [] : await findLetterImages(db, [letter.id]);
    auditRead([referralId], mailedTo ? `mailed to user ${mailedTo}` : undefined);
    const files = [...pdf, ...images].filter(({ scanState }) => scanState !== "infected");
    const [first] = files;
    if (first === undefined)
      throw new Refusal("fileMissing", { text: kind === "images" ? "Røntgenfilen mangler" : NO_PDF_TEXT });
    if (kind !== "zip" && files.length === 1)
      return {
        fileName: first.fileName,
        mime: first.mime,
        sizeBytes: first.sizeBytes,
        disposition: "attachment" as const,
        open: () => portal.files.openRead(first.storageKey),
      };
    return {
      fileName: `Udskrivningsbrev_${referralId}_${letterNumber}.zip`,
      mime: "application/zip",
      disposition: "attachment" as const,
      open: () =>
        zipOf(
          files.map(({ fileName, storageKey }) => ({ fileName, open: async () => portal.files.openRead(storageKey) })),
        ),
    };
  },
});
