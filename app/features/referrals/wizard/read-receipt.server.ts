import { z } from "zod";
import { read } from "~/access/operation.server";
import { radiographsPart } from "~/features/referrals/images/radiographs-part.server";
import { awaitingOf } from "~/features/referrals/sending/read-awaiting.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable, findReceipt, findReferral } from "~/features/referrals/store/referral-store.server";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";

/**
 * The receipt after 'Send henvisning': the referral's number, what to print, and what decides what happens next. Of one that waits for its files
 * `awaiting`, and no receipt yet; `uploads` while files are on their way to it.
 */
export const readReceipt = read({
  name: "readReceipt",
  permission: "referral.write",
  input: z.object({ referralId: z.coerce.number().int().positive().optional().catch(undefined) }),
  async run({ db, person, portal, auditRead }, { referralId }) {
    const nothing = { receipt: null, awaiting: null, uploads: null };
    if (!referralId) return nothing;
    const sent = await findReceipt(db, person, referralId);
    const draft = sent ? null : await findEditable(db, person, referralId).catch(() => null);
    const awaiting = draft && (await awaitingOf(db, draft));
    if (!sent && !awaiting) return nothing;
    auditRead([referralId]);
    const isLacking = awaiting !== null || (sent?.awaited_files ?? 0) > 0;
    const row = isLacking ? (draft ?? (await findReferral(db, person, referralId))) : null;
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
      awaiting: awaiting && draft && { id: draft.id, name: fullName(draft), ...awaiting },
      uploads: row && (await radiographsPart({ db, portal, person }, row, await findFiles(db, row.id))),
    };
  },
});
