export type MergeKind = "user" | "clinic";

type Fate =
  /** The job moves it to the winner in batches. */
  | "moved"
  | "atOnce"
  | "ended"
  /** Historical; never changed. */
  | "history"
  /** Only names staff, who are not merged. */
  | "staff"
  /** Belongs to the account or clinic itself. */
  | "stays"
  /** Unused after the sessions end, and deleted by age. */
  | "expires"
  | "follows";

/** What a merge does with every column that references a user or clinic. A test finds missing ones. */
export const mergedColumns: Readonly<Record<string, { of: MergeKind; fate: Fate }>> = {
  "referral.referrer_id": { of: "user", fate: "moved" },
  "referral.creator_id": { of: "user", fate: "moved" },
  "referral.clinic_id": { of: "clinic", fate: "moved" },
  "message.author_id": { of: "user", fate: "moved" },
  "referral_file.uploader_id": { of: "user", fate: "moved" },
  "edi_sender.referrer_id": { of: "user", fate: "moved" },
  "autosave.user_id": { of: "user", fate: "moved" },
  "staged_upload.owner_id": { of: "user", fate: "moved" },
  "user_clinic.user_id": { of: "user", fate: "atOnce" },
  "user_clinic.clinic_id": { of: "clinic", fate: "atOnce" },
  "user.merged_into_id": { of: "user", fate: "atOnce" },
  "clinic.merged_into_id": { of: "clinic", fate: "atOnce" },
  "session.user_id": { of: "user", fate: "ended" },
  "access_token.user_id": { of: "user", fate: "ended" },
  "known_address.user_id": { of: "user", fate: "ended" },
  "second_factor.user_id": { of: "user", fate: "ended" },
  "api_key.user_id": { of: "user", fate: "ended" },
  "api_key.clinic_id": { of: "clinic", fate: "ended" },
  "user_role.user_id": { of: "user", fate: "stays" },
  "user_search_token.user_id": { of: "user", fate: "stays" },
  "clinic_search_token.clinic_id": { of: "clinic", fate: "stays" },
  "partial_upload.owner_id": { of: "user", fate: "expires" },
  "awaited_sending.requested_by": { of: "user", fate: "history" },
  "idempotency.user_id": { of: "user", fate: "expires" },
  "statistics_sum.referrer_id": { of: "user", fate: "follows" },
  "statistics_sum.clinic_id": { of: "clinic", fate: "follows" },
  "user.creator_id": { of: "user", fate: "history" },
  "referral.modifier_id": { of: "user", fate: "history" },
  "visit_log.modifier_id": { of: "user", fate: "history" },
  "audit_event.actor_id": { of: "user", fate: "history" },
  "audit_event.subject_user_id": { of: "user", fate: "history" },
  "material_line.answered_by": { of: "user", fate: "history" },
  "outbox.user_id": { of: "user", fate: "history" },
  "outbox.requested_by": { of: "user", fate: "history" },
  "merge_run.winner_id": { of: "user", fate: "history" },
  "merge_loser.loser_id": { of: "user", fate: "history" },
  "merge_moved.from_id": { of: "user", fate: "history" },
  "merge_run.actor_id": { of: "user", fate: "staff" },
  "merge_run.undone_by": { of: "user", fate: "staff" },
  "access_sample.drawn_by": { of: "user", fate: "staff" },
  "access_sample.signed_by": { of: "user", fate: "staff" },
  "referral.surgeon_id": { of: "user", fate: "staff" },
  "material_request.requested_by": { of: "user", fate: "staff" },
  "edi_message.decided_by": { of: "user", fate: "staff" },
  "edi_sender.linked_by": { of: "user", fate: "staff" },
  "freed_time.surgeon_id": { of: "user", fate: "staff" },
  "time_offer.offered_by": { of: "user", fate: "staff" },
  "stored_file.owner_confirmed_by": { of: "user", fate: "staff" },
  "archive_export.released_by": { of: "user", fate: "staff" },
  "appointment_answer.undone_by": { of: "user", fate: "staff" },
  "appointment_file.user_id": { of: "user", fate: "staff" },
  "directory_plan.user_id": { of: "user", fate: "staff" },
  "discharge_letter.modifier_id": { of: "user", fate: "staff" },
  "incoming_sms.settled_by": { of: "user", fate: "staff" },
  "letter_batch.creator_id": { of: "user", fate: "staff" },
  "letter_batch.printed_by": { of: "user", fate: "staff" },
  "mass_change.user_id": { of: "user", fate: "staff" },
  "message_template.author_id": { of: "user", fate: "staff" },
  "outbox.handled_by": { of: "user", fate: "staff" },
  "parking_booking.user_id": { of: "user", fate: "staff" },
  "portal_text.author_id": { of: "user", fate: "staff" },
  "api_key.creator_id": { of: "user", fate: "staff" },
  "api_key.revoked_by": { of: "user", fate: "staff" },
  "setting.modifier_id": { of: "user", fate: "staff" },
};

export const movedColumns = (kind: MergeKind): string[] =>
  Object.entries(mergedColumns).flatMap(([place, { of, fate }]) => (of === kind && fate === "moved" ? [place] : []));

export const UNDO_DAYS = 30;
