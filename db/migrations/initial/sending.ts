import type { Tables } from "../../ddl.server";

/** The outbox, sent messages and their answers. */
export const sending = {
  outbox: {
    columns: {
      id: "id",
      channel: "varchar(15) not null",
      kind: "varchar(40) not null",
      referral_id: "reference",
      user_id: "reference",
      recipient_encrypted: "text not null",
      /** JSON by channel: subject, text and html; text; or title and text. */
      content_encrypted: "longText not null",
      attempts: "integer not null",
      created_at: "moment not null",
      /** Queued: not sent before. Awaiting: not polled before. */
      not_before: "moment not null",
      lease_owner: "varchar(64)",
      lease_until: "moment",
      /** Set just before the first byte is sent; a row that has it after its lease expired was interrupted. */
      sending_since: "moment",
      sent_at: "moment",
      /** The message delivers the referral's files, which cannot be deleted before. */
      needs_files: "flag not null default 0",
      /** Identity its ciphertexts are bound to; null in older rows. */
      row_key: "varchar(32)",
      outcome: "varchar(12) not null default 'queued'",
      /** State number of lists and API: 0 to 10, or 0 to 2 for SMS. */
      code: "smallint not null default 0",
      detail: "varchar(300)",
      provider_reference: "varchar(100)",
      stored_file_id: "reference",
      /** The failed message that it repeats. */
      resends_id: "reference",
      requested_by: "reference",
      expires_at: "moment",
      settled_at: "moment",
      handled_at: "moment",
      handled_by: "reference",
      /** Note of what a person did instead. */
      handled_note: "varchar(200)",
      /** Since when it is due but its check could not be made. */
      waiting_since: "moment",
      /** Keyed hash of an SMS's number, by which answers find it. */
      recipient_hash: "varchar(64)",
      /** Sender address of a mail's latest attempt; null for others and before the first. */
      sender: "varchar(320)",
      reason: "varchar(40)",
      /** Operation time stated to the patient, `YYYY-MM-DD HH:MM` in Copenhagen. */
      operation_moment: "varchar(16)",
    },
    computed: {
      /** 0 once the text has been removed by retention. */
      has_text: { type: "smallint", from: "content_encrypted <> ''" },
    },
    unique: { outbox_by_resent: ["resends_id"] },
    indexes: {
      outbox_by_referral: ["referral_id", "id"],
      outbox_by_lane: ["channel", "outcome", "not_before"],
      outbox_by_user: ["user_id", "kind", "id"],
      outbox_by_settled: ["settled_at"],
      outbox_by_failure: ["outcome", "handled_at", "id"],
      outbox_by_channel: ["channel", "id"],
      outbox_by_channel_kind: ["channel", "kind", "id"],
      outbox_by_recipient: ["recipient_hash", "id"],
      outbox_by_text: ["has_text", "settled_at"],
    },
  },
  outbox_attempt: {
    columns: {
      id: "id",
      outbox_id: "reference not null",
      at: "moment not null",
      outcome: "varchar(30) not null",
      detail: "varchar(500)",
    },
    indexes: { outbox_attempt_by_message: ["outbox_id", "id"] },
  },
  /** Events pushed by providers, each once. */
  delivery_event: {
    columns: {
      id: "id",
      channel: "varchar(15) not null",
      event_id: "varchar(100) not null",
      /** receipt | reply | other */
      kind: "varchar(10) not null",
      outbox_id: "reference",
      received_at: "moment not null",
      row_key: "varchar(32)",
      /** Encrypted JSON of a reply: sender and text. */
      content_encrypted: "text",
      taken_at: "moment",
    },
    unique: { delivery_event_once: ["channel", "event_id"] },
    indexes: { delivery_event_by_taken: ["kind", "taken_at", "id"] },
  },
  /** A draft that is sent once its uploads have finished. */
  awaited_sending: {
    columns: {
      referral_id: "reference not null",
      requested_by: "reference not null",
      requested_at: "moment not null",
      /** When it is sent without missing files. */
      due_at: "moment not null",
    },
    keys: { referral_id: "referral cascade" },
    primaryKey: ["referral_id"],
    indexes: { awaited_sending_by_time: ["due_at"] },
  },
  /** The clinic's texts by kind and channel: the newest version counts. */
  message_template: {
    columns: {
      id: "id",
      kind: "varchar(40) not null",
      channel: "varchar(12) not null",
      version: "integer not null",
      /** Empty for channels without subject. */
      subject: "varchar(200) not null",
      body: "longText not null",
      created_at: "moment not null",
      author_id: "reference",
    },
    unique: { message_template_version: ["kind", "channel", "version"] },
  },
  call_up: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      /** 0 Email, 1 Brev, 2 SMS, 3 e-Boks. */
      call_up_type: "smallint not null",
      /** 1 planned, 2 failed, 3 succeeded, 4 protected address. */
      call_up_status: "smallint not null",
      incall_date: "moment",
      content_encrypted: "longText",
      stored_file_id: "reference",
      visit_log_id: "reference",
      created_at: "moment not null",
      row_key: "varchar(32)",
      /**
       * Latest sending, whose state counts; null: sent without the outbox, and its own columns have the state. Equal in
       * appointment letters and bills.
       */
      outbox_id: "reference",
      /** Id of its referral while it waits, so that a unique index allows one. */
      planned_referral_id: "reference",
      /** The referral's status when it was requested; the status changes after sending only if it is still that. */
      referral_status: "smallint",
    },
    keys: { referral_id: "referral restrict" },
    checks: ["call_up_type between 0 and 3", "call_up_status between 1 and 4"],
    unique: { call_up_by_plan: ["planned_referral_id"] },
    indexes: {
      call_up_by_referral: ["referral_id", "id"],
      call_up_by_message: ["outbox_id"],
      call_up_by_log: ["visit_log_id"],
    },
  },
  letter_batch: {
    columns: {
      id: "id",
      created_at: "moment not null",
      /** Null for the automatic batch. */
      creator_id: "reference",
      stored_file_id: "reference not null",
      page_count: "integer not null",
      printed_at: "moment",
      printed_by: "reference",
      /** 'Ikke udskrevet': its letters wait for the next one. */
      withdrawn_at: "moment",
    },
    indexes: { letter_batch_by_date: ["created_at", "id"] },
  },
  letter_batch_item: {
    columns: {
      id: "id",
      batch_id: "reference not null",
      outbox_id: "reference not null",
      /** Equal to the letter's id while the batch is active, so that a letter is in one. */
      live_outbox_id: "reference",
      position: "integer not null",
      first_page: "integer not null",
      page_count: "integer not null",
      /** Why it was left out by 'Markér som udskrevet'. */
      left_out: "varchar(200)",
    },
    keys: { batch_id: "letter_batch cascade" },
    unique: { letter_batch_item_live: ["live_outbox_id"] },
    indexes: { letter_batch_item_by_batch: ["batch_id", "position"], letter_batch_item_by_letter: ["outbox_id"] },
  },
  billing_letter: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      /** invoice | offer (an estimate) */
      kind: "varchar(10) not null",
      status: "smallint not null",
      send_date: "moment",
      created_at: "moment not null",
      outbox_id: "reference",
    },
    keys: { referral_id: "referral restrict" },
    indexes: { billing_letter_by_referral: ["referral_id", "id"] },
  },
  /** A link to files sent to a patient; its state is in the outbox. */
  patient_message: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      outbox_id: "reference not null",
      /** radiographLink | letterFilesLink */
      purpose: "varchar(30) not null",
      /** Null for the referral's own radiographs. */
      letter_number: "integer",
      /** 0 e-Boks, 1 SMS. */
      message_type: "integer not null",
      created_at: "moment not null",
    },
    keys: { referral_id: "referral restrict" },
    indexes: {
      patient_message_by_referral: ["referral_id", "purpose", "letter_number"],
      patient_message_by_outbox: ["outbox_id"],
    },
  },
  discharge_letter: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      letter_number: "smallint not null",
      diagnosis_file_id: "reference",
      /** 0 queued, 1 sent, 2 failed. */
      status: "smallint not null",
      error_message: "varchar(300)",
      send_date: "moment",
      recipient_email: "varchar(254)",
      surgeon_email: "varchar(254)",
      /** Which of its two sendings is the latest. */
      attempts: "smallint not null",
      is_edi: "flag not null",
      send_edi_as_email: "flag not null",
      /** Unused: messages to patients about letters are in `patient_message`. */
      patient_message_type: "smallint",
      patient_message_status: "smallint",
      patient_message_status_date: "moment",
      created_at: "moment not null",
      deleted_at: "moment",
      /** Mail of its latest sending, whose state counts; null: sent without the outbox, or by EDI only. */
      outbox_id: "reference",
      modifier_id: "reference",
      modified_at: "moment",
      /** EDI message of its latest sending; null if sent by mail only. */
      edi_outbox_id: "reference",
    },
    keys: { referral_id: "referral restrict" },
    unique: { discharge_letter_by_referral: ["referral_id", "letter_number"] },
    indexes: {
      discharge_letter_by_message: ["outbox_id"],
      discharge_letter_without_pdf: ["diagnosis_file_id", "deleted_at", "referral_id"],
      discharge_letter_by_file: ["diagnosis_file_id", "referral_id"],
      discharge_letter_by_edi_outbox: ["edi_outbox_id"],
    },
  },
  discharge_letter_image: {
    columns: { id: "id", discharge_letter_id: "reference not null", stored_file_id: "reference not null" },
    keys: { discharge_letter_id: "discharge_letter cascade" },
    indexes: { discharge_letter_image_by_letter: ["discharge_letter_id", "id"] },
  },
  appointment_letter: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      /** 0 Email, 1 Brev, 2 e-Boks. */
      appointment_type: "smallint not null",
      /** One of the eleven delivery states, as in bills. */
      status: "smallint not null",
      send_date: "moment",
      content_encrypted: "longText",
      created_at: "moment not null",
      row_key: "varchar(32)",
      outbox_id: "reference",
    },
    keys: { referral_id: "referral restrict" },
    indexes: { appointment_letter_by_referral: ["referral_id", "id"] },
  },
  incoming_sms: {
    columns: {
      id: "id",
      delivery_event_id: "reference not null",
      received_at: "moment not null",
      /** Keyed hash of the sender's number. */
      sender_hash: "varchar(64) not null",
      row_key: "varchar(32)",
      /** Encrypted JSON: sender and text. */
      content_encrypted: "longText not null",
      /** The referral of its thread; null while unknown. */
      referral_id: "reference",
      /** cancelled | possibly | none | stop */
      judgement: "varchar(12) not null",
      /** unplaced | possibly | unread | settled | dismissed */
      state: "varchar(12) not null",
      /** Whether the answer counts as a cancellation. */
      cancellation_detected: "flag not null default 0",
      settled_by: "reference",
      settled_at: "moment",
    },
    computed: {
      /** 0 once both have been removed by retention. */
      has_text: { type: "smallint", from: "content_encrypted <> ''" },
    },
    unique: { incoming_sms_once: ["delivery_event_id"] },
    indexes: {
      incoming_sms_by_referral: ["referral_id", "id"],
      incoming_sms_by_state: ["state", "id"],
      incoming_sms_by_text: ["has_text", "received_at"],
    },
  },
  /** A number that gets no reminders. */
  sms_stop: {
    columns: {
      id: "id",
      number_hash: "varchar(64) not null",
      row_key: "varchar(32)",
      number_encrypted: "text not null",
      stopped_at: "moment not null",
    },
    unique: { sms_stop_by_number: ["number_hash"] },
  },
} as const satisfies Tables;
