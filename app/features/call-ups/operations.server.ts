import { z } from "zod";
import { external, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { patientContact, refuseTakenContact, saveContact } from "~/features/referrals/details/save-contact.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { findCallUpFile } from "./call-up-store.server";

/** 'Opdater information': saves how the patient can be reached, and sends nothing. Throws `patientEmailTaken`, `conflict` and `notInScope`. */
export const updateCallUp = external({
  name: "updateCallUp",
  permission: "patientMessage.send",
  input: patientContact,
  prepare: refuseTakenContact,
  async run(context, input) {
    const row = await saveContact(context, input);
    context.auditChange([row.id]);
    return { flash: { tone: "success" as const, formId: formIdOf(row.id), text: "Oplysningerne er gemt." } };
  },
});

export const formIdOf = (referralId: number) => `callUp-${referralId}`;

/** The PDF that was sent (GET /Incall/download/pdf/{id}), by its log line. Throws `notInScope` and `fileMissing`. */
export const downloadCallUpPdf = read({
  name: "downloadCallUpPdf",
  permission: "patientMessage.send",
  input: z.object({ visitLogId: z.coerce.number().int().positive() }),
  async run({ db, actor, portal, auditRead }, { visitLogId }) {
    const callUp = await findCallUpFile(db, visitLogId);
    if (!callUp) throw new Refusal("notInScope");
    await findReferral(db, actor, callUp.referral_id);
    auditRead([callUp.referral_id]);
    const { storage_key: key, file_name: fileName, size_bytes: sizeBytes } = callUp;
    if (key === null) throw new Refusal("fileMissing", { text: "Pdf-filen mangler" });
    return {
      fileName: fileName ?? "Indkaldelse.pdf",
      mime: "application/pdf",
      ...(sizeBytes === null ? {} : { sizeBytes }),
      disposition: "inline" as const,
      open: () => portal.files.openRead(key),
    };
  },
});
