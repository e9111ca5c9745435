import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findReferral } from "~/features/referrals/details/messaged-referral.server";
import { findCallUpFile } from "./call-up-store.server";

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
