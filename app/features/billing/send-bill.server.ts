import { change, type ChangeContext, succeeded, keyedForm, ofReferral } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { KindHooks } from "~/features/delivery/port";
import { patientHooks, lockReferralOf } from "~/features/patient-messages/patient-hooks.server";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { type BillKind, ESTIMATE, insertBill } from "./bill-store.server";
import { z } from "zod";
import { refuseBadFiles } from "~/access/caller";
import { uploadOf } from "~/files/file-rules";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";

const bills = {
  invoice: { kind: "invoice", word: "Fakturaen" },
  [ESTIMATE]: { kind: "estimate", word: "Overslaget" },
} as const;

/** Queues an invoice or estimate by e-Boks for a locked referral. Throws `invalid` when e-Boks cannot be used. */
async function queueBill(
  context: ChangeContext,
  row: ReferralRow,
  { billKind, storedFileId, resendsId }: { billKind: BillKind; storedFileId: number; resendsId?: number },
): Promise<void> {
  const { tx, now, auditChange } = context;
  const { kind, word } = bills[billKind];
  const { outboxId } = await queuePatientMessage(context, {
    kind,
    channel: "eboks",
    referral: row,
    field: "billKind",
    storedFileId,
    resendsId,
  });
  await insertBill(tx, { referralId: row.id, outboxId, kind: billKind }, now);
  await logEvent(context, row, `${word} er sat i kø (e-Boks)`);
  auditChange([row.id], `${billKind} by eboks`);
}

export const billHooks: KindHooks = {
  ...patientHooks,
  async resend(context, message) {
    const { id, kind, storedFileId } = message;
    if (storedFileId === null) throw new Refusal("invalid");
    const row = await lockReferralOf(context, message);
    await queueBill(context, row, { billKind: kind === "invoice" ? "invoice" : ESTIMATE, storedFileId, resendsId: id });
  },
};

/**
 * Sends an invoice ('Faktura') or an estimate ('Overslag'), a PDF of at most 10 MB, to the patient by e-Boks. Throws `fileRefused`, `invalid`
 * without a file or where e-Boks is no way, and `notInScope`; the file waits for the form.
 */
export const sendBill = change({
  name: "sendBill",
  permission: "patientMessage.send",
  idempotent: true,
  uploads: { bill: uploadOf("bill") },
  input: ofReferral.extend({
    ...keyedForm.shape,
    billKind: z.enum(["invoice", ESTIMATE], "Vælg faktura eller overslag."),
  }),
  async run(context, { referralId, formKey, billKind }) {
    const { tx, actor, person, caller, now } = context;
    const row = await lockReferral(tx, actor, referralId);
    refuseBadFiles(caller);
    const [file] = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: ["bill"] }, now);
    if (!file) throw new Refusal("invalid", { fields: { bill: ["Vælg en PDF-fil."] } });
    await queueBill(context, row, { billKind, storedFileId: file.storedFileId });
    return succeeded(`${bills[billKind].word} er sat i kø.`, { formId: "sendBill" });
  },
});
