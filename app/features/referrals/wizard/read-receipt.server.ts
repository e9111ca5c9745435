import { z } from "zod";
import { read } from "~/access/operation.server";
import { radiographsPart } from "~/features/referrals/images/radiographs-part.server";
import { awaitingOf } from "~/features/referrals/sending/read-awaiting.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable, findReceipt, findReferral } from "~/features/referrals/store/referral-store.server";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";

/**
 * The receipt after 'Send henvisning'. `awaiting` while it waits for files; `draft` for any other draft; `uploads`
 * while files are uploading.
 */
export const readReceipt = read({
  name: "readReceipt",
  permission: "referral.write",
  input: z.object({ referralId: z.coerce.number().int().positive().optional().catch(undefined) }),
  async run({ db, person, portal, auditRead }, { referralId }) {
    const nothing = { receipt: null, awaiting: null, draft: null, uploads: null };
    if (!referralId) return nothing;
    const sent = await findReceipt(db, person, referralId);
    const unsent = sent ? null : await findEditable(db, person, referralId).catch(() => null);
    if (!sent && !unsent) return nothing;
    const awaiting = unsent && (await awaitingOf(db, unsent));
    auditRead([referralId]);
    const isLacking = awaiting !== null || (sent?.awaited_files ?? 0) > 0;
    const row = isLacking ? (unsent ?? (await findReferral(db, person, referralId))) : null;
    return {
      receipt: sent
        ? {
            id: sent.id,
            name: fullName(sent),
            sentAt: isoMoment(sent.sent_at!),
            desiredTreatment: sent.desired_treatment,
            referenceType: sent.reference_type,
            callType: sent.call_type,
            radiographsSendType: sent.radiographs_send_type,
            isNotified: sent.send_notification_to_dentist === 1,
            awaitedFiles: sent.awaited_files,
          }
        : null,
      awaiting: awaiting && unsent && { id: unsent.id, name: fullName(unsent), ...awaiting },
      draft: unsent && !awaiting ? { id: unsent.id, name: fullName(unsent) } : null,
      uploads: row && (await radiographsPart({ db, portal, person }, row, await findFiles(db, row.id))),
    };
  },
});
