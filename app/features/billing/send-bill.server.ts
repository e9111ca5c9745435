import { z } from "zod";
import { refusedFileTexts } from "~/access/caller";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { uploadOf } from "~/files/file-rules";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";
import { ESTIMATE } from "./bill-store.server";
import { bills, queueBill } from "./queue-bill.server";

/**
 * Sends an invoice ('Faktura') or an estimate ('Overslag'), a PDF of at most 10 MB, to the patient by e-Boks. Throws `fileRefused`, `invalid`
 * without a file or where e-Boks is no way, and `notInScope`; the file waits for the form.
 */
export const sendBill = change({
  name: "sendBill",
  permission: "patientMessage.send",
  idempotent: true,
  uploads: { bill: uploadOf("bill") },
  input: z.object({
    referralId: z.coerce.number().int(),
    formKey: z.string().max(64),
    billKind: z.enum(["invoice", ESTIMATE], "Vælg faktura eller overslag."),
  }),
  async run(context, { referralId, formKey, billKind }) {
    const { tx, actor, person, caller, now } = context;
    const row = await lockReferral(tx, actor, referralId);
    const refused = refusedFileTexts(caller.files);
    if (Object.keys(refused).length > 0) throw new Refusal("fileRefused", { fields: refused });
    const [file] = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: ["bill"] }, now);
    if (!file) throw new Refusal("invalid", { fields: { bill: ["Vælg en PDF-fil."] } });
    await queueBill(context, row, { billKind, storedFileId: file.storedFileId });
    return {
      flash: { tone: "success" as const, formId: "sendBill", text: `${bills[billKind].word} er sat i kø.` },
    };
  },
});
