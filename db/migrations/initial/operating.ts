import type { Tables } from "../../ddl.server";

/** Audit, statistics, settings, texts, jobs, and data about the installation. */
export const operating: Tables = {
  audit_event: {
    columns: {
      id: "id",
      at: "moment not null",
      actor_kind: "varchar(20) not null",
      actor_id: "reference",
      operation: "varchar(60) not null",
      outcome: "varchar(30) not null",
      detail: "varchar(500)",
      role: "varchar(80)",
      site: "varchar(10)",
      purpose: "varchar(20)",
      address_hash: "varchar(64)",
      subject_user_id: "reference",
      account_hash: "varchar(64)",
      cpr_hash: "varchar(64)",
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
  page_view: {
    columns: { day: "day not null", page: "varchar(60) not null", role: "varchar(20) not null", n: "integer not null" },
    primaryKey: ["day", "page", "role"],
  },
  statistics_contribution: {
    columns: { referral_id: "reference not null", generation: "integer not null", entries: "longText not null" },
    keys: { referral_id: "referral cascade" },
    primaryKey: ["referral_id"],
  },
  statistics_state: { columns: { name: "varchar(20) not null", value: "reference not null" }, primaryKey: ["name"] },
  statistics_sum: {
    columns: {
      measure: "varchar(12) not null",
      grain: "char(1) not null",
      start: "varchar(10) not null",
      bucket: "varchar(30) not null",
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
      location: "varchar(500) not null",
      created_at: "moment not null",
      answer: "longText",
    },
    primaryKey: ["user_id", "operation", "form_key"],
    indexes: { idempotency_by_age: ["created_at"] },
  },
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
      outcome: "varchar(10)",
      lease_owner: "varchar(64)",
      lease_until: "moment",
    },
    primaryKey: ["name"],
  },
  cache_change: {
    columns: {
      topic: "varchar(100) not null",
      process_id: "varchar(36) not null",
      version: "varchar(36) not null",
      changed_at: "moment not null",
    },
    primaryKey: ["topic", "process_id"],
  },
  encryption_key: {
    columns: { key_id: "varchar(8) not null", first_used_at: "moment not null", lost_at: "moment" },
    primaryKey: ["key_id"],
  },
  upkeep: { columns: { name: "varchar(20) not null", at: "moment not null" }, primaryKey: ["name"] },
};
