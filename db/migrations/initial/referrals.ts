import type { Tables } from "../../ddl.server";

/** Patients, referrals, and what belongs to one: files, treatment plan, status log, messages, material requests. */
export const referrals = {
  patient: {
    columns: {
      id: "id",
      /** HMAC of the CPR number; one row per CPR. */
      cpr_hash: "varchar(64) not null",
      /** Lower-case; unique across patients. */
      email_norm: "varchar(254)",
      created_at: "moment not null",
    },
    unique: { patient_by_cpr: ["cpr_hash"], patient_by_email: ["email_norm"] },
  },
  referral: {
    columns: {
      id: "id",
      version: "integer not null default 1",
      /** Null while the referral is a draft. */
      sent_at: "moment",
      /** Sent: when it was sent. Draft: when it was begun. */
      create_date: "moment not null",
      modified_at: "moment not null",
      creator_id: "reference",
      modifier_id: "reference",
      /** -1 while it is a draft; otherwise one of the 17. */
      status: "smallint not null",
      reference_type: "smallint not null",
      call_type: "smallint not null",
      visit_type: "varchar(10) not null",
      external_id: "varchar(40)",
      clinic_id: "reference",
      referrer_id: "reference",
      external_doctor_id: "varchar(40)",
      edi_responsible_dentist: "varchar(200)",
      send_notification_to_dentist: "flag not null",
      surgeon_id: "reference",
      patient_id: "reference",
      cpr_encrypted: "varchar(200)",
      cpr_hash: "varchar(64)",
      cpr6: "varchar(6)",
      birth_date: "day",
      first_name: "varchar(100) not null",
      last_name: "varchar(100) not null",
      name_sort: "varchar(400) not null",
      profession: "varchar(100)",
      address: "varchar(200)",
      zip: "varchar(20)",
      city: "varchar(100)",
      phone: "varchar(40)",
      mobile_phone: "varchar(40)",
      email: "varchar(254)",
      email_norm: "varchar(254)",
      patient_without_eboks: "flag not null",
      payment_type: "smallint not null",
      insurance_company: "varchar(200)",
      police_claim: "varchar(100)",
      region_number: "varchar(40)",
      region_address: "varchar(200)",
      region_institution: "varchar(200)",
      region_zip: "varchar(20)",
      region_city: "varchar(100)",
      approval_type: "smallint not null",
      diagnose: "text",
      previous_treatment: "text",
      desired_treatment: "text",
      comment: "text",
      is_health_insurance: "flag not null",
      health_insurance_type: "smallint not null",
      radiographs_send_type: "smallint not null",
      /** The wizard's furthest step: 1, 2 or 3. */
      available_step: "smallint not null",
      operation_date: "day",
      operation_hour: "smallint",
      operation_minute: "smallint",
      operation_duration: "smallint",
      treatment_type_id: "reference",
      surgeon_comment: "text",
      not_need_treatment_comment: "text",
      price: "varchar(40)",
      is_test: "flag not null",
      exported_to_csv: "flag not null",
      has_radiographs: "flag not null",
      has_unanswered_message: "flag not null",
      surgeon_has_unread_messages: "flag not null",
      /** State of its images in the archive: 0 none to send, 1 planned, 2 failed, 3 archived; null: none planned. */
      radiograph_export_status: "smallint",
      send_radiograph_to_patient: "flag not null",
      force_radiograph_export: "flag not null",
      call_up_status: "smallint",
      deleted_at: "moment",
      status_since: "moment",
      /** Unread messages of the clinic for the referrer's side; the column above is for those of the referrer. */
      referrer_has_unread_messages: "flag not null default 0",
      /** Identity that the encrypted CPR number is bound to (docs/decisions/0065). */
      row_key: "varchar(32)",
      call_up_comment: "text",
      call_up_type: "smallint",
      call_up_date: "moment",
      /** Whether a discharge letter exists that is not deleted. */
      has_discharge_letter: "flag not null default 0",
      /** When a discharge letter was last sent successfully. */
      discharge_sent_at: "moment",
      declines_discharge_letter: "flag not null default 0",
      sms_count: "integer not null default 0",
      has_cancellation_message: "flag not null default 0",
      cancellation_date: "moment",
      /** When the patient confirmed the time; null again when it moves. */
      confirmed_at: "moment",
      awaited_files: "smallint not null default 0",
      /** While equal to `status_since`, the referral is sorted first in its status. */
      recalled_at: "moment",
      /**
       * `held_until`: day until which it was last put on hold, `YYYY-MM-DD`; the other is the start of its status at that
       * time.
       */
      held_until: "day",
      held_since: "moment",
      /** Counts changes of status, its start, and hold. `version` counts all other edits. */
      status_version: "integer not null default 1",
    },
    keys: { patient_id: "patient restrict" },
    checks: [
      "status between -1 and 16",
      "reference_type in (0, 1)",
      "call_type between 0 and 2",
      "payment_type between 0 and 3",
      "radiographs_send_type between 0 and 3",
      "approval_type between 0 and 3",
      "health_insurance_type between 0 and 3",
      "available_step between 1 and 3",
      "operation_hour between 0 and 23",
      "operation_minute between 0 and 59",
    ],
    computed: {
      /** Day and time of the operation as a number, `YYYYMMDDHHMM`. */
      operation_order: {
        type: "bigint",
        isNull: true,
        from: "replace(operation_date, '-', '') * 10000 + coalesce(operation_hour, 0) * 100 + coalesce(operation_minute, 0)",
      },
      /** 0 not in the SMS list, 1 in it, 2 in it as cancelled. */
      sms_list: {
        type: "smallint",
        from: "case when status < 0 then 0 when cancellation_date is not null or has_cancellation_message = 1 then 2 when operation_date is not null or sms_count > 0 then 1 else 0 end",
      },
      /** `0` for urgent, `1` for recalled, else `2`, and the sending time. */
      queue_order: {
        type: "varchar(25)",
        from: "concat(case when reference_type = 1 then '0' when recalled_at = status_since then '1' else '2' end, create_date)",
      },
      /** `held_until` while it has that status; otherwise empty. */
      hold_until: {
        type: "varchar(10)",
        from: "case when held_since = status_since then coalesce(held_until, '') else '' end",
      },
    },
    indexes: {
      referral_by_date: ["create_date", "id", "status"],
      referral_by_status: ["status", "create_date"],
      referral_by_deletion: ["deleted_at"],
      referral_by_change: ["status", "modified_at"],
      referral_by_cpr: ["cpr_hash", "create_date"],
      referral_list_by_clinic: ["clinic_id", "create_date", "id", "status"],
      referral_list_by_referrer: ["referrer_id", "create_date", "id", "status"],
      referral_list_by_creator: ["creator_id", "create_date", "id", "status"],
      referral_list_by_surgeon: ["surgeon_id", "create_date", "id", "status"],
      referral_list_by_unanswered: ["has_unanswered_message", "create_date", "id", "status"],
      referral_list_by_unread: ["surgeon_id", "surgeon_has_unread_messages", "create_date", "id", "status"],
      referral_list_by_visit_type: ["visit_type", "create_date", "id", "status"],
      referral_list_by_dentist_id: ["external_doctor_id", "create_date", "id", "status"],
      referral_list_by_test: ["is_test", "create_date", "id", "status"],
      referral_list_by_status: ["status", "id"],
      referral_by_status_since: ["status", "status_since"],
      referral_list_by_referrer_unread: ["referrer_has_unread_messages", "create_date", "id", "status"],
      referral_list_by_email: ["email_norm", "create_date", "id", "status"],
      referral_by_call_up_type: ["status", "call_up_type", "id"],
      referral_by_call_up_date: ["status", "call_up_date", "id"],
      referral_by_call_up_status: ["status", "call_up_status", "id"],
      referral_by_letter_sent: ["has_discharge_letter", "discharge_sent_at", "id"],
      referral_by_letter_cpr: ["has_discharge_letter", "cpr6", "id"],
      referral_by_letter_name: ["has_discharge_letter", "name_sort", "id"],
      referral_by_letter: ["has_discharge_letter", "id"],
      referral_sms_by_operation_order: ["sms_list", "operation_order", "id"],
      referral_sms_by_name_sort: ["sms_list", "name_sort", "id"],
      referral_sms_by_cancellation_date: ["sms_list", "cancellation_date", "id"],
      referral_by_operation_date: ["operation_date", "id"],
      referral_sms_by_id: ["sms_list", "id"],
      referral_list_by_clinic_number: ["clinic_id", "id", "status"],
      referral_by_queue: ["status", "queue_order", "id"],
      referral_by_surgeons_queue: ["surgeon_id", "status", "queue_order", "id"],
      referral_by_hold: ["status", "hold_until", "create_date"],
      referral_on_hold: ["hold_until", "id"],
      referral_order_by_name: ["name_sort", "id", "status", "clinic_id", "create_date"],
      referral_order_by_birth: ["birth_date", "id", "status", "clinic_id", "create_date"],
      referral_order_by_cpr6: ["cpr6", "id", "status", "clinic_id", "create_date"],
      referral_by_patient: ["patient_id"],
    },
  },
  referral_name_token: {
    columns: { token: "varchar(60) not null", referral_id: "reference not null" },
    keys: { referral_id: "referral cascade" },
    primaryKey: ["token", "referral_id"],
    indexes: { referral_name_token_by_referral: ["referral_id"] },
  },
  visit_log: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      at: "moment not null",
      modifier_id: "reference",
      modifier_name: "varchar(200) not null",
      status: "smallint",
      treatment_type_id: "reference",
      surgeon_comment: "text",
      /** email | sms | EBOKS | print for messages; null for changes by a person. */
      log_type: "varchar(10)",
      /** Danish description where the status does not say enough. */
      event: "varchar(300)",
    },
    keys: { referral_id: "referral cascade" },
    indexes: { visit_log_by_referral: ["referral_id", "id"] },
  },
  visit_appointment: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      /** A day in Copenhagen, `YYYY-MM-DD`. */
      date: "varchar(10) not null",
      /** `HH:MM` in Copenhagen. */
      time: "varchar(5)",
      duration_minutes: "smallint",
      treatment: "varchar(200) not null",
      external_code: "varchar(40) not null",
      is_cancelled: "flag not null",
      modified_at: "moment not null",
      /** Treatment type that the line's code meant when the line was written. */
      treatment_type_id: "reference",
    },
    keys: { referral_id: "referral cascade" },
    indexes: { visit_appointment_by_referral: ["referral_id", "date"] },
  },
  treatment_type: {
    columns: {
      id: "id",
      name: "varchar(200) not null",
      name_sort: "varchar(400) not null",
      external_appointment_ids: "varchar(400) not null",
      patient_recommendation_link: "varchar(500)",
      deleted_at: "moment",
      version: "integer not null default 1",
    },
  },
  message: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      is_from_admin: "flag not null",
      author_id: "reference not null",
      author_name: "varchar(201) not null",
      text: "longText not null",
      created_at: "moment not null",
      edited_at: "moment",
      version: "integer not null default 1",
    },
    keys: { referral_id: "referral cascade" },
    indexes: { message_by_referral: ["referral_id", "id"], message_by_author: ["author_id", "id"] },
  },
  material_request: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      /** The referral's `status_since` when requested: the request is valid while they are equal. */
      status_since: "moment not null",
      requested_by: "reference not null",
      requested_at: "moment not null",
      row_key: "varchar(32)",
      note_encrypted: "text",
      completed_at: "moment",
    },
    keys: { referral_id: "referral cascade" },
    indexes: { material_request_by_referral: ["referral_id", "id"] },
  },
  material_line: {
    columns: {
      id: "id",
      request_id: "reference not null",
      /** A kind of `material-kinds.ts`. */
      kind: "varchar(12) not null",
      row_key: "varchar(32)",
      /** Encrypted JSON: text of 'Andet', and why the referrer does not have it. */
      words_encrypted: "text",
      /** When the first file arrived, while others are awaited. */
      first_file_at: "moment",
      /** open | files | none | withdrawn */
      answer: "varchar(12) not null",
      answered_by: "reference",
      answered_at: "moment",
    },
    keys: { request_id: "material_request cascade" },
    indexes: { material_line_by_request: ["request_id", "answer"], material_line_begun: ["answer", "first_file_at"] },
  },
  mass_change: {
    columns: {
      id: "id",
      user_id: "reference not null",
      at: "moment not null",
      status: "smallint not null",
      changed: "integer not null",
      /** Ids of referrals left out because somebody else had changed them, separated by commas. */
      left_out: "text not null",
      undone_at: "moment",
    },
    indexes: { mass_change_by_age: ["at"] },
  },
  mass_change_row: {
    columns: {
      mass_change_id: "reference not null",
      referral_id: "reference not null",
      status_before: "smallint not null",
      since_before: "moment",
      /** The referral's `status_version` after the change. */
      version_after: "integer not null",
      /** A mail about the former status was still unsent. */
      mail_was_waiting: "flag not null",
    },
    keys: { mass_change_id: "mass_change cascade" },
    primaryKey: ["mass_change_id", "referral_id"],
  },
  autosave: {
    columns: {
      id: "id",
      user_id: "reference not null",
      form_key: "varchar(64) not null",
      /** Null until the form is saved. */
      referral_id: "reference",
      /** Encrypted JSON: field name → value. */
      values_encrypted: "longText not null",
      modified_at: "moment not null",
      /** Hash of the CPR number it was typed under; empty without one. One copy per person, form and number. */
      cpr_hash: "varchar(64) not null default ''",
      row_key: "varchar(32)",
    },
    keys: { user_id: "user cascade", referral_id: "referral cascade" },
    unique: { typed_input_by_number: ["user_id", "form_key", "cpr_hash"] },
    indexes: { typed_input_by_referral: ["referral_id"], typed_input_by_age: ["modified_at"] },
  },
  access_token: {
    columns: {
      id: "varchar(64) not null",
      purpose: "varchar(30) not null",
      user_id: "reference",
      referral_id: "reference",
      created_at: "moment not null",
      expires_at: "moment not null",
      used_at: "moment",
      revoked_at: "moment",
      /** Set for a link to the files of one discharge letter. */
      letter_number: "integer",
      /** Set for a link to one appointment: `YYYY-MM-DD HH:MM` in Copenhagen. */
      operation_moment: "varchar(16)",
      /** newer | staff | changed */
      revoked_because: "varchar(10)",
      /** When the patient last requested a new one. */
      renewed_at: "moment",
    },
    keys: { user_id: "user cascade", referral_id: "referral cascade" },
    primaryKey: ["id"],
    indexes: {
      access_token_by_user: ["user_id", "purpose"],
      access_token_by_referral: ["referral_id", "purpose"],
      access_token_by_expiry: ["expires_at"],
    },
  },
} as const satisfies Tables;
