import { z } from "zod";
import { refusedFileTexts } from "~/access/caller";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { holdReferral, logEvent } from "~/features/referrals/details/messaged-referral.server";
import { uploadOf } from "~/files/file-rules";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";
import { paths } from "~/paths";
import { insertBill } from "./bill-store.server";

const kinds = {
  invoice: { kind: "invoice", word: "Fakturaen" },
  offer: { kind: "estimate", word: "Overslaget" },
} as const;

/**
 * Sends an invoice ('Faktura') or an offer ('Overslag'), a PDF of at most 10 MB, to the patient by e-Boks. Throws `fileRefused`, `invalid`
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
    billKind: z.enum(["invoice", "offer"], "Vælg faktura eller overslag."),
  }),
  async run(context, { referralId, formKey, billKind }) {
    const { tx, actor, person, caller, now, auditChange } = context;
    const row = await holdReferral(tx, actor, referralId);
    const refused = refusedFileTexts(caller.files);
    if (Object.keys(refused).length > 0) throw new Refusal("fileRefused", { fields: refused });
    const [file] = await claimStagedFiles(tx, person.id, formKey, now);
    if (!file) throw new Refusal("invalid", { fields: { bill: ["Vælg en PDF-fil."] } });
    const { kind, word } = kinds[billKind];
    const { outboxId } = await queuePatientMessage(context, {
      kind,
      channel: "eboks",
      referral: row,
      field: "billKind",
      storedFileId: file.storedFileId,
    });
    await insertBill(tx, { referralId: row.id, outboxId, kind: billKind }, now);
    await logEvent(tx, actor, { referralId: row.id, status: row.status, event: `${word} er sat i kø (e-Boks)` }, now);
    auditChange([row.id], `${billKind} by eboks`);
    return {
      to: `${paths.referral(row.id)}#fakturaer`,
      flash: { tone: "success" as const, formId: "sendBill", text: `${word} er sat i kø.` },
    };
  },
});
