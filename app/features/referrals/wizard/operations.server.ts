import { invalidateDirectory } from "~/features/directory/operations.server";
import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { insertQuickProfile } from "~/features/accounts/create-account.server";
import { radiographsPart } from "~/features/referrals/images/read-images.server";
import { awaitingOf } from "~/features/referrals/sending/operations.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import {
  findEditable,
  findInWizard,
  findReceipt,
  findReferral,
  updateGuarded,
} from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { personName } from "~/text/fields.server";
import { fullName } from "~/text/names";
import { promptFields } from "./patient-form.schema.server";
import { PATIENT_PART_CHANGED } from "./save-patient.server";

export const createReferrer = change({
  name: "createReferrer",
  permission: "referral.createReferrer",
  idempotent: true,
  input: z.object({
    formKey: z.string().max(64),
    referralId: z.coerce.number().int(),
    seenVersion: z.coerce.number().int().optional(),
    firstName: personName("Skriv henviserens fornavn."),
    lastName: personName("Skriv henviserens efternavn."),
  }),
  async run(context, { referralId, seenVersion, firstName, lastName }) {
    const { tx, person, actor, now, auditChange } = context;
    const row = await findEditable(tx, person, referralId);
    const referrerId = await insertQuickProfile(tx, person, { firstName, lastName }, now);
    invalidateDirectory(context);
    await updateGuarded(tx, row.id, seenVersion ?? row.version, {
      referrer_id: referrerId,
      external_doctor_id: null,
      modifier_id: person.id,
      modified_at: toMoment(now),
    });
    if (row.sent_at !== null)
      await insertVisitLog(
        tx,
        actor,
        [{ referralId: row.id, status: row.status, event: `Henviser: ${firstName} ${lastName}` }],
        now,
      );
    auditChange([referralId], `referrer ${referrerId} made`);
    return {
      to: paths.wizardStep(referralId, 2),
      flash: { tone: "success" as const, text: `${firstName} ${lastName} er oprettet og valgt som henviser.` },
    };
  },
});

/**
 * Writes what the form asks for beside the diagnosis (PUT /next/Visits/{id}/clinical-facts); a fact that is absent is
 * emptied. Staff also change those of a sent referral. Throws `alreadySent`, `conflict` and `notInScope`.
 */
export const saveClinicalFacts = change({
  name: "saveClinicalFacts",
  permission: "referral.write",
  input: z.object({
    ...promptFields,
    referralId: z.coerce.number().int(),
    seenVersion: z.coerce.number().int().optional(),
  }),
  async run({ tx, person, actor, now, auditChange }, { referralId, seenVersion, ...facts }) {
    const row = await findInWizard(tx, person, referralId);
    await updateGuarded(tx, row.id, seenVersion ?? row.version, {
      ...facts,
      modifier_id: person.id,
      modified_at: toMoment(now),
    });
    if (row.sent_at !== null)
      await insertVisitLog(tx, actor, [{ referralId: row.id, status: row.status, event: PATIENT_PART_CHANGED }], now);
    auditChange([row.id]);
    return {};
  },
});

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
            sentAt: sent.sent_at!,
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
