import type { Tables } from "../../ddl.server";

/** Audit, statistics, settings, texts, jobs, and data about the installation. */
export const operating = {
  audit_event: {
    columns: {
      id: "id",
      at: "moment not null",
      actor_kind: "varchar(20) not null",
      actor_id: "reference",
      operation: "varchar(60) not null",
      outcome: "varchar(30) not null",
      detail: "varchar(500)",
      /** Role and purpose at the time; null in older rows. */
      role: "varchar(80)",
      site: "varchar(10)",
      purpose: "varchar(20)",
      /** Keyed hashes of the caller's address, a typed user name, and a CPR number. */
      address_hash: "varchar(64)",
      subject_user_id: "reference",
      account_hash: "varchar(64)",
      cpr_hash: "varchar(64)",
      /** The API key that was used; null for people and the portal itself. */
      api_key_id: "reference",
    },
    indexes: {
      audit_event_by_actor: ["actor_id", "at"],
      audit_event_by_subject: ["subject_user_id", "at"],
      audit_event_by_cpr: ["cpr_hash", "at"],
      audit_event_by_at: ["at"],
    },
  },
  audit_referral: {
    columns: { referral_id: "reference not null", audit_event_id: "reference not null" },
    primaryKey: ["referral_id", "audit_event_id"],
    indexes: { audit_referral_by_event: ["audit_event_id"] },
  },
  /** Page views by day and role. */
  page_view: {
    columns: { day: "day not null", page: "varchar(60) not null", role: "varchar(20) not null", n: "integer not null" },
    primaryKey: ["day", "page", "role"],
  },
  /** Entries that one referral has added to the sums. */
  statistics_contribution: {
    columns: {
      referral_id: "reference not null",
      /** The recount it belongs to; older ones do not count. */
      generation: "integer not null",
      /** JSON list of entries. */
      entries: "longText not null",
    },
    keys: { referral_id: "referral cascade" },
    primaryKey: ["referral_id"],
  },
  /**
   * `generation`: the valid recount. `nextReferral`: progress of the running recount; 0 when none runs.
   * `silenceKnownFrom`: the first day with silences, as `YYYYMMDD`; 0 for all days.
   */
  statistics_state: { columns: { name: "varchar(20) not null", value: "reference not null" }, primaryKey: ["name"] },
  /** Counts by day (D), third of a month (T) or month (M); the latter two are named by their first day. */
  statistics_sum: {
    columns: {
      measure: "varchar(12) not null",
      grain: "char(1) not null",
      start: "varchar(10) not null",
      /** Subdivision of the measure: urgency, status, days, or channel and outcome. */
      bucket: "varchar(30) not null",
      /** Zero without one. */
      referrer_id: "reference not null",
      clinic_id: "reference not null",
      treatment_type_id: "reference not null",
      n: "integer not null",
    },
    primaryKey: ["measure", "grain", "start", "bucket", "referrer_id", "clinic_id", "treatment_type_id"],
    indexes: {
      statistics_sum_by_referrer: ["referrer_id", "measure", "grain", "start"],
      statistics_sum_by_group: ["measure", "grain", "referrer_id", "clinic_id", "treatment_type_id", "start"],
    },
  },
  setting: {
    columns: {
      name: "varchar(60) not null",
      value: "text not null",
      modified_at: "moment not null",
      modifier_id: "reference",
    },
    primaryKey: ["name"],
  },
  portal_text: {
    columns: {
      id: "id",
      /** `conditions`, `management` or `infoPopup`. */
      kind: "varchar(30) not null",
      version: "integer not null",
      body: "text not null",
      button_text: "varchar(100) not null",
      created_at: "moment not null",
      author_id: "reference",
    },
    unique: { portal_text_by_kind: ["kind", "version"] },
  },
  idempotency: {
    columns: {
      user_id: "reference not null",
      operation: "varchar(60) not null",
      form_key: "varchar(64) not null",
      /** Empty if `answer` has it. */
      location: "varchar(500) not null",
      created_at: "moment not null",
      /** JSON: address redirected to, and the sealed message; null until the form has been carried out. */
      answer: "longText",
    },
    primaryKey: ["user_id", "operation", "form_key"],
    indexes: { idempotency_by_age: ["created_at"] },
  },
  /** Dry run of a file of clinics or referrers, kept until imported or for a day. */
  directory_plan: {
    columns: {
      id: "id",
      user_id: "reference not null",
      kind: "varchar(20) not null",
      file_name: "varchar(255) not null",
      row_key: "varchar(32)",
      lines_encrypted: "longText not null",
      created_at: "moment not null",
    },
    indexes: { directory_plan_by_age: ["created_at"] },
  },
  job_run: {
    columns: {
      name: "varchar(60) not null",
      next_run_at: "moment not null",
      started_at: "moment",
      finished_at: "moment",
      /** done | failed */
      outcome: "varchar(10)",
      lease_owner: "varchar(64)",
      lease_until: "moment",
    },
    primaryKey: ["name"],
  },
  cache_change: {
    columns: {
      /** Prefix of the invalidated keys. */
      topic: "varchar(100) not null",
      process_id: "varchar(36) not null",
      version: "varchar(36) not null",
      changed_at: "moment not null",
    },
    primaryKey: ["topic", "process_id"],
  },
  /** Keys that encrypted text in this database; `lost_at` when given up. */
  encryption_key: {
    columns: { key_id: "varchar(8) not null", first_used_at: "moment not null", lost_at: "moment" },
    primaryKey: ["key_id"],
  },
  upkeep: {
    columns: {
      /** copy | backup | restoring */
      name: "varchar(20) not null",
      /** When the copy was made, or until when the running backup's claim is valid. */
      at: "moment not null",
    },
    primaryKey: ["name"],
  },
} as const satisfies Tables;
