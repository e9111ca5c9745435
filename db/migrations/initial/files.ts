import type { Tables } from "../../ddl.server";

/** Stored files, uploads under way, and images on their way to the archive. */
export const files = {
  stored_file: {
    columns: {
      id: "id",
      storage_key: "varchar(100) not null",
      file_name: "varchar(255) not null",
      mime: "varchar(100) not null",
      size_bytes: "bigint not null",
      sha256: "varchar(64) not null",
      /** clean | infected | notScanned, or the reason for no scan (gateways/virus-scanner/port.ts) */
      scan_state: "varchar(15) not null",
      /** Keyed hash of the CPR number in a DICOM header; null without one. */
      dicom_cpr_hash: "varchar(64)",
      created_at: "moment not null",
      purge_after: "moment",
      /** Encrypted JSON of a DICOM header without the CPR number; null for other and older files. */
      dicom_facts_encrypted: "text",
      /** Keyed hash of a DICOM slice's series, and its number in it; null for other and older files. */
      dicom_series_hash: "varchar(64)",
      dicom_slice: "integer",
      /** Confirmed by a person as the patient's although it names another. */
      owner_confirmed_at: "moment",
      owner_confirmed_by: "reference",
      /** Keyed hash of the UID by which archives know a DICOM file; null for other and older files. */
      dicom_instance_hash: "varchar(64)",
    },
    indexes: {
      stored_file_by_purge: ["purge_after"],
      stored_file_by_content: ["sha256"],
      stored_file_by_key: ["storage_key"],
      stored_file_by_series: ["dicom_series_hash"],
      stored_file_by_instance: ["dicom_instance_hash"],
    },
  },
  referral_file: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      /** radiograph | journal | approval | attachment */
      kind: "varchar(15) not null",
      radiograph_type: "smallint",
      stored_file_id: "reference not null",
      uploaded_at: "moment not null",
      uploader_id: "reference",
      deleted_at: "moment",
      /** The message it was attached to; null for files of the referral itself. */
      message_id: "reference",
      /** The requested item that it answers. */
      material_line_id: "reference",
    },
    keys: { referral_id: "referral cascade", stored_file_id: "stored_file cascade" },
    indexes: {
      referral_file_by_file: ["stored_file_id"],
      referral_file_by_referral: ["referral_id", "kind", "id"],
      referral_file_by_uploader: ["uploader_id", "id"],
      referral_file_by_day: ["uploader_id", "uploaded_at"],
    },
  },
  staged_upload: {
    columns: {
      id: "id",
      owner_id: "reference not null",
      form_key: "varchar(64) not null",
      field: "varchar(60) not null",
      kind: "varchar(15) not null",
      stored_file_id: "reference not null",
      created_at: "moment not null",
      /** For an image staged for its form. */
      radiograph_type: "smallint",
    },
    keys: { owner_id: "user cascade" },
    indexes: { held_upload_by_form: ["owner_id", "form_key"], held_upload_by_age: ["created_at"] },
  },
  partial_upload: {
    columns: {
      /** Random, 32 hexadecimal digits: end of its address, and its key in the store once complete. */
      id: "varchar(32) not null",
      owner_id: "reference not null",
      /** 0 while its form is unsaved. */
      referral_id: "reference not null",
      radiograph_type: "smallint not null",
      file_name: "varchar(255) not null",
      size_bytes: "bigint not null",
      /** From the browser, milliseconds since 1970; with name and size it recognises the same file. */
      last_modified: "bigint not null",
      /** arriving | kept | refused */
      state: "varchar(15) not null",
      refusal: "varchar(500)",
      referral_file_id: "reference",
      created_at: "moment not null",
      /** The form it was begun in, until that is saved. */
      form_key: "varchar(64)",
      /** When its referral was sent, or requested to be sent, without it. */
      awaited_at: "moment",
      /** Upload of the ZIP that contained it. */
      archive_id: "varchar(32)",
      material_line_id: "reference",
    },
    primaryKey: ["id"],
    indexes: {
      partial_upload_by_owner: ["owner_id", "state"],
      partial_upload_by_referral: ["referral_id", "state"],
      partial_upload_by_age: ["created_at"],
      partial_upload_by_form: ["owner_id", "form_key"],
      partial_upload_by_awaited: ["awaited_at"],
      partial_upload_by_line: ["material_line_id"],
    },
  },
  partial_upload_part: {
    columns: {
      upload_id: "varchar(32) not null",
      start_byte: "bigint not null",
      size_bytes: "bigint not null",
      storage_key: "varchar(32) not null",
      sha256: "varchar(64) not null",
      created_at: "moment not null",
    },
    unique: { partial_upload_part_by_start: ["upload_id", "start_byte"], partial_upload_part_by_key: ["storage_key"] },
  },
  /** An image to be archived; one row per referral and file. */
  archive_export: {
    columns: {
      id: "id",
      referral_id: "reference not null",
      stored_file_id: "reference not null",
      /** Latest sending, whose state counts. */
      outbox_id: "reference not null",
      /** Since when it is withheld because the file names another patient. */
      held_at: "moment",
      /** Person who confirmed that it is the patient's. */
      released_by: "reference",
      released_at: "moment",
      created_at: "moment not null",
      corrected_at: "moment",
    },
    unique: { archive_export_by_file: ["referral_id", "stored_file_id"] },
    indexes: { archive_export_by_outbox: ["outbox_id"] },
  },
} as const satisfies Tables;
