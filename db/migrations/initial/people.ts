import type { Tables } from "../../ddl.server";

/** Accounts, clinics, sign-in and merging. */
export const people = {
  user: {
    columns: {
      id: "id",
      user_name: "varchar(100) not null",
      /** `searchKey(user_name)`; unique, so that `Aase` and `åse` cannot both exist. */
      user_name_norm: "varchar(200) not null",
      first_name: "varchar(100) not null",
      last_name: "varchar(100) not null",
      name_sort: "varchar(400) not null",
      name_norm: "varchar(400) not null",
      email: "varchar(254) not null",
      phone: "varchar(40)",
      mobile_phone: "varchar(40)",
      status: "smallint not null",
      password_hash: "varchar(255)",
      dentist_external_id: "varchar(40)",
      edi_dentist_id: "varchar(40)",
      send_ending_letters_via_edi: "flag not null",
      light_edition: "flag not null",
      accepted_conditions_version: "integer",
      accepted_conditions_at: "moment",
      last_password_reset_at: "moment",
      last_active_at: "moment",
      creator_id: "reference",
      created_at: "moment not null",
      modified_at: "moment not null",
      version: "integer not null default 1",
      must_change_password: "flag not null default 0",
      merged_into_id: "reference",
      shortcuts_off: "flag not null default 0",
    },
    computed: {
      /** Computed: the e-mail in lower case. */
      email_key: { type: "varchar(254)", from: "lower(email)" },
    },
    unique: { user_by_user_name: ["user_name_norm"] },
    indexes: {
      user_by_name: ["status", "name_sort"],
      user_by_created: ["status", "created_at"],
      user_by_status_and_user_name: ["status", "user_name_norm"],
      user_by_dentist_id_and_created: ["dentist_external_id", "status", "created_at"],
      user_by_dentist_id_and_user_name: ["dentist_external_id", "status", "user_name_norm"],
      user_by_merged_into: ["merged_into_id"],
      user_by_email_key: ["email_key"],
      user_by_edi_id: ["edi_dentist_id"],
    },
  },
  user_role: {
    columns: { user_id: "reference not null", role: "varchar(30) not null" },
    keys: { user_id: "user cascade" },
    primaryKey: ["user_id", "role"],
    indexes: { user_role_by_role: ["role", "user_id"] },
  },
  /** Search words of a user's name, user name, e-mail and Henviser id. */
  user_search_token: {
    columns: { token: "varchar(60) not null", user_id: "reference not null" },
    keys: { user_id: "user cascade" },
    primaryKey: ["token", "user_id"],
    indexes: { user_search_token_by_row: ["user_id"] },
  },
  clinic: {
    columns: {
      id: "id",
      name: "varchar(200) not null",
      name_sort: "varchar(400) not null",
      name_norm: "varchar(400) not null",
      address: "varchar(200) not null",
      zip: "varchar(20) not null",
      city: "varchar(100) not null",
      phone: "varchar(40) not null",
      mobile_phone: "varchar(40)",
      fax: "varchar(40)",
      email: "varchar(254) not null",
      status: "smallint not null",
      created_at: "moment not null",
      modified_at: "moment not null",
      version: "integer not null default 1",
      merged_into_id: "reference",
    },
    computed: { email_key: { type: "varchar(254)", from: "lower(email)" } },
    indexes: {
      clinic_by_name: ["status", "name_sort"],
      clinic_by_modified: ["status", "modified_at"],
      clinic_by_merged_into: ["merged_into_id"],
      clinic_by_email_key: ["email_key"],
    },
  },
  user_clinic: {
    columns: { user_id: "reference not null", clinic_id: "reference not null", is_primary: "flag not null" },
    keys: { user_id: "user cascade", clinic_id: "clinic cascade" },
    primaryKey: ["user_id", "clinic_id"],
    indexes: { user_clinic_by_clinic: ["clinic_id", "user_id"] },
  },
  /** Search words of a clinic's name, town, postal code, e-mail and phone. */
  clinic_search_token: {
    columns: { token: "varchar(60) not null", clinic_id: "reference not null" },
    keys: { clinic_id: "clinic cascade" },
    primaryKey: ["token", "clinic_id"],
    indexes: { clinic_search_token_by_row: ["clinic_id"] },
  },
  session: {
    columns: {
      /** SHA-256 of the cookie's token, hex. */
      id: "varchar(64) not null",
      user_id: "reference not null",
      created_at: "moment not null",
      last_seen_at: "moment not null",
      expires_at: "moment not null",
      /** Written by a former release in clear. */
      flash: "text",
      info_popup_seen: "flag not null",
      callup_popup: "flag not null",
      /** Sealed form that arrived after its session had expired. */
      restored_input: "longText",
      /** Browser and system at sign-in, such as `Chrome på Windows`. */
      device: "varchar(60)",
      /** Sealed: a JSON list of messages to show once. */
      flash_sealed: "longText",
    },
    keys: { user_id: "user cascade" },
    primaryKey: ["id"],
    indexes: { session_by_user: ["user_id"], session_by_expiry: ["expires_at"] },
  },
  /** A person's second factor, active or being set up. */
  second_factor: {
    columns: {
      id: "id",
      user_id: "reference not null",
      is_active: "flag not null",
      row_key: "varchar(32)",
      secret_encrypted: "text not null",
      /** The last 30-second step whose code was accepted. */
      last_step: "reference",
      created_at: "moment not null",
      activated_at: "moment",
    },
    keys: { user_id: "user cascade" },
    unique: { second_factor_of_user: ["user_id", "is_active"] },
  },
  /** Each is valid once in place of a code. */
  recovery_code: {
    columns: {
      id: "id",
      second_factor_id: "reference not null",
      row_key: "varchar(32)",
      code_encrypted: "text not null",
      used_at: "moment",
    },
    keys: { second_factor_id: "second_factor cascade" },
    indexes: { recovery_code_of_factor: ["second_factor_id"] },
  },
  password_request: {
    columns: {
      id: "id",
      /** Site of the request; accounts of the other site are unknown there. */
      site: "varchar(10) not null",
      /** As typed; it may belong to nobody. */
      email: "varchar(254) not null",
      requested_at: "moment not null",
    },
  },
  known_address: {
    columns: { user_id: "reference not null", address_hash: "varchar(64) not null", last_at: "moment not null" },
    keys: { user_id: "user cascade" },
    primaryKey: ["user_id", "address_hash"],
    indexes: { known_address_by_time: ["last_at"] },
  },
  api_key: {
    columns: {
      id: "id",
      name: "varchar(60) not null",
      /** SHA-256 of the key. */
      key_hash: "varchar(64) not null",
      /** First characters, for recognising it. */
      key_hint: "varchar(8) not null",
      /** Separated by commas (access/actor.ts). */
      scopes: "varchar(100) not null",
      /** Null: all clinics. */
      clinic_id: "reference",
      /** In whose name it writes. */
      user_id: "reference not null",
      creator_id: "reference not null",
      /** Allowed addresses and ranges, separated by spaces; empty allows any. */
      addresses: "text not null",
      calls_per_minute: "reference not null",
      created_at: "moment not null",
      expires_at: "moment not null",
      last_used_at: "moment",
      revoked_at: "moment",
      /** Null if ended by the portal. */
      revoked_by: "reference",
    },
    unique: { api_key_by_hash: ["key_hash"] },
    indexes: { api_key_of_user: ["user_id"], api_key_by_creator: ["creator_id"], api_key_of_clinic: ["clinic_id"] },
  },
  throttle: {
    columns: {
      /** HMAC of the counted thing; never an address or user name in clear. */
      id: "varchar(64) not null",
      window_start: "moment not null",
      hits: "integer not null",
    },
    primaryKey: ["id"],
    indexes: { throttle_by_window: ["window_start"] },
  },
  merge_run: {
    columns: {
      id: "id",
      kind: "varchar(6) not null",
      winner_id: "reference not null",
      /** `moving` and `undoing` are ended by the job. */
      state: "varchar(7) not null",
      /** JSON of the winner: column → value; for users also `roles`. */
      values_before: "longText not null",
      values_after: "longText not null",
      actor_id: "reference",
      at: "moment not null",
      moved_at: "moment",
      undone_by: "reference",
      undone_at: "moment",
    },
    indexes: {
      merge_run_by_state: ["state", "id"],
      merge_run_by_winner: ["kind", "winner_id", "id"],
      merge_run_by_age: ["at"],
    },
  },
  merge_loser: {
    columns: {
      run_id: "reference not null",
      loser_id: "reference not null",
      status_before: "smallint not null",
      /** JSON list: who had been merged into the loser before and now belongs to the winner. */
      merged_before: "longText not null",
    },
    keys: { run_id: "merge_run cascade" },
    primaryKey: ["run_id", "loser_id"],
    indexes: { merge_loser_by_loser: ["loser_id", "run_id"] },
  },
  merge_moved: {
    columns: {
      run_id: "reference not null",
      place: "varchar(40) not null",
      row_id: "reference not null",
      from_id: "reference not null",
      /** For a membership: its former role. */
      detail: "varchar(20)",
      /** moved | back | left: what an undo made of it. */
      outcome: "varchar(5) not null",
    },
    keys: { run_id: "merge_run cascade" },
    primaryKey: ["run_id", "place", "row_id", "from_id"],
    indexes: { merge_moved_by_outcome: ["run_id", "outcome", "place", "row_id"] },
  },
} as const satisfies Tables;
