import type { Tables } from "../../ddl.server";

export const edi = {
  edi_file: {
    columns: {
      id: "id",
      received_at: "moment not null",
      /** SHA-256 of the received bytes; equal files are imported once. */
      sha256: "varchar(64) not null",
      size_bytes: "reference not null",
      /** The encrypted file; null if removed or too large to read. */
      stored_file_id: "reference",
      row_key: "varchar(32)",
      /** Encrypted JSON: key of the stored file and the sender's file name. Empty once removed. */
      content_encrypted: "longText not null",
    },
    unique: { edi_file_once: ["sha256"] },
    indexes: { edi_file_by_received: ["received_at"] },
  },
  /** One letter of a file; an unreadable file has one row too. */
  edi_message: {
    columns: {
      id: "id",
      file_id: "reference not null",
      /** Position in the envelope, from 0. */
      position: "integer not null",
      received_at: "moment not null",
      /** referral | correspondence | attachment | receipt | refused */
      kind: "varchar(16) not null",
      type: "varchar(10)",
      /** Letter number, envelope number and location number as the sender wrote them. */
      letter_id: "varchar(14)",
      envelope_id: "varchar(14)",
      sender_ean: "varchar(35)",
      /** Unique hash of sender, letter, type and content. Null for refused ones and duplicates. */
      dedupe_key: "varchar(64)",
      row_key: "varchar(32)",
      /** Encrypted JSON of its content. Empty once removed. */
      content_encrypted: "longText not null",
      cpr_hash: "varchar(64)",
      /** new | imported | attached | waiting | person | refused | duplicate | receipt | dismissed */
      state: "varchar(12) not null",
      reason: "varchar(24)",
      detail: "varchar(500)",
      /** When the import looks at it again; null for never. */
      next_at: "moment",
      referral_id: "reference",
      duplicate_of: "reference",
      decided_by: "reference",
      decided_at: "moment",
      receipt_outbox_id: "reference",
    },
    keys: { file_id: "edi_file cascade" },
    unique: { edi_message_once: ["dedupe_key"] },
    indexes: {
      edi_message_by_file: ["file_id", "position"],
      edi_message_due: ["state", "next_at"],
      edi_message_by_state: ["state", "id"],
      edi_message_by_referral: ["referral_id", "id"],
      edi_message_by_letter: ["letter_id", "sender_ean"],
      edi_message_by_cpr: ["cpr_hash", "id"],
      edi_message_by_number: ["letter_id", "sender_ean"],
    },
  },
  edi_object: {
    columns: {
      id: "id",
      message_id: "reference not null",
      object_id: "varchar(36) not null",
      stored_file_id: "reference",
      file_name: "varchar(255) not null",
      /** Why it was refused, in Danish. */
      refused: "varchar(500)",
      referral_id: "reference",
    },
    keys: { message_id: "edi_message cascade" },
    indexes: { edi_object_by_message: ["message_id"], edi_object_by_object: ["object_id"] },
  },
  /** A file announced by a letter. */
  edi_reference: {
    columns: {
      id: "id",
      message_id: "reference not null",
      object_id: "varchar(36) not null",
      description: "varchar(70)",
      edi_object_id: "reference",
      due_at: "moment not null",
      missing_since: "moment",
    },
    keys: { message_id: "edi_message cascade" },
    indexes: {
      edi_reference_by_message: ["message_id"],
      edi_reference_by_object: ["object_id"],
      edi_reference_due: ["edi_object_id", "missing_since", "due_at"],
    },
  },
  /** A sender that a person has linked to a referrer. */
  edi_sender: {
    columns: {
      id: "id",
      /** Hash of the practice's numbers and the person's name. */
      sender_key: "varchar(64) not null",
      referrer_id: "reference not null",
      linked_by: "reference",
      linked_at: "moment not null",
    },
    unique: { edi_sender_once: ["sender_key"] },
    indexes: { edi_sender_by_referrer: ["referrer_id"] },
  },
} as const satisfies Tables;
