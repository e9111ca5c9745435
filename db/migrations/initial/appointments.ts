import type { Tables } from "../../ddl.server";

/** Operation times: imports, patients' answers, freed times, reminders, parking. */
export const appointments = {
  appointment_file: {
    columns: {
      id: "id",
      user_id: "reference not null",
      file_name: "varchar(255) not null",
      /** 0 awaiting 'Importér', 1 imported, 2 failed, 3 importing. */
      status: "smallint not null",
      status_text: "varchar(300)",
      row_count: "integer not null",
      rows_done: "integer not null",
      create_date: "moment not null",
      import_date: "moment",
      /** First and last day of the file's lines; null if an unreadable line may belong to any day. */
      first_day: "day",
      last_day: "day",
      /** Uploaded by API: nobody is asked, and lines judged again are imported at once. */
      is_unattended: "flag not null default 0",
    },
    indexes: { appointment_file_by_status: ["status", "id"], appointment_file_by_import: ["import_date"] },
  },
  appointment_import: {
    columns: {
      id: "id",
      file_id: "reference not null",
      line: "integer not null",
      values_encrypted: "text not null",
      cpr_hash: "varchar(64)",
      cpr6: "varchar(6)",
      referral_id: "reference",
      operation_date: "day",
      operation_time: "varchar(5)",
      external_code: "varchar(40) not null",
      planned_status: "smallint not null",
      /** Result of the import; null before. */
      status: "smallint",
      import_date: "moment",
      row_key: "varchar(32)",
      /** JSON of the dry run's decision, with ids and days only; null once imported. */
      plan: "longText",
      /** Whether a person must say if it is a moved or a further appointment. */
      asks: "flag not null default 0",
      /** The portal changed after the dry run, so it awaits another 'Importér'. */
      is_shown_again: "flag not null default 0",
      /** Reason of its result, as a sentence. */
      note: "varchar(300)",
    },
    keys: { file_id: "appointment_file cascade" },
    indexes: {
      appointment_import_by_file: ["file_id", "status", "line"],
      appointment_import_by_date: ["import_date", "id"],
      appointment_import_by_cpr: ["cpr6", "import_date"],
      appointment_import_by_referral: ["referral_id", "import_date"],
      appointment_import_by_status: ["status", "import_date", "id"],
      appointment_import_by_code: ["external_code", "import_date", "id"],
      appointment_import_by_patient: ["file_id", "cpr_hash"],
    },
  },
  appointment_answer: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      /** `YYYY-MM-DD HH:MM` in Copenhagen. */
      operation_moment: "varchar(16) not null",
      /** confirmed | cancelled */
      answer: "varchar(10) not null",
      /** link | sms */
      source: "varchar(5) not null",
      row_key: "varchar(32)",
      /** Message to the clinic, encrypted. */
      word_encrypted: "text",
      at: "moment not null",
      /** For a cancellation that changed the status: the former one. */
      status_before: "smallint",
      undone_at: "moment",
      /** Null if the patient did. */
      undone_by: "reference",
    },
    keys: { referral_id: "referral restrict" },
    indexes: { appointment_answer_by_referral: ["referral_id", "id"] },
  },
  appointment_reminder: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      operation_moment: "varchar(16) not null",
      /** 1 to 3 of the settings; null if sent by a person. */
      rule: "smallint",
      outbox_id: "reference",
      queued_at: "moment not null",
    },
    keys: { referral_id: "referral restrict" },
    unique: { appointment_reminder_once: ["referral_id", "operation_moment", "rule"] },
    indexes: { appointment_reminder_by_message: ["outbox_id"] },
  },
  freed_time: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      operation_moment: "varchar(16) not null",
      duration_minutes: "integer",
      treatment_type_id: "reference",
      surgeon_id: "reference",
      freed_at: "moment not null",
      closed_at: "moment",
      /** taken | undone | removed */
      closed_because: "varchar(10)",
      taken_by: "reference",
    },
    keys: { referral_id: "referral restrict" },
    indexes: { freed_time_by_referral: ["referral_id", "id"], freed_time_by_moment: ["closed_at", "operation_moment"] },
  },
  time_offer: {
    columns: {
      id: "id",
      freed_time_id: "reference not null",
      /** Equal while the offer is open, else null: a unique index allows one open offer per time. */
      open_freed_time_id: "reference",
      referral_id: "reference not null",
      outbox_id: "reference",
      offered_by: "reference",
      offered_at: "moment not null",
      expires_at: "moment not null",
      /** open | accepted | declined | expired | withdrawn */
      outcome: "varchar(10) not null",
      settled_at: "moment",
    },
    keys: { freed_time_id: "freed_time cascade" },
    unique: { time_offer_open: ["open_freed_time_id"] },
    indexes: {
      time_offer_by_time: ["freed_time_id", "id"],
      time_offer_by_referral: ["referral_id", "id"],
      time_offer_by_message: ["outbox_id"],
    },
  },
  parking_booking: {
    columns: {
      id: "id",
      reference_number: "varchar(12) not null",
      /** In Copenhagen, `YYYY-MM-DD`. */
      booking_day: "day not null",
      /** Keyed hash of day, plate and number; unique. */
      booking_hash: "varchar(64) not null",
      row_key: "varchar(32)",
      /** JSON of day, plate, the typed number, and its E.164 form. */
      content_encrypted: "text not null",
      referral_id: "reference",
      /** Staff member; null for the public page. */
      user_id: "reference",
      created_at: "moment not null",
    },
    unique: { parking_booking_once: ["booking_hash"], parking_booking_by_reference: ["reference_number"] },
    indexes: { parking_booking_by_day: ["booking_day", "id"] },
  },
  parking_day: {
    columns: {
      day: "day not null",
      /** Receipts withheld by the daily limit. */
      withheld: "integer not null",
    },
    primaryKey: ["day"],
  },
  parking_receipt: {
    columns: {
      id: "id",
      booking_id: "reference not null",
      outbox_id: "reference not null",
      number_hash: "varchar(64) not null",
      /** Copenhagen day whose limit it counts for. */
      sent_day: "day not null",
    },
    keys: { booking_id: "parking_booking cascade" },
    indexes: { parking_receipt_by_day: ["sent_day", "number_hash"], parking_receipt_by_booking: ["booking_id"] },
  },
} as const satisfies Tables;
