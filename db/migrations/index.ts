import type { Kysely, Migration } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";
import * as initial from "./2026_11_27_0800_initial";
import * as nextDate from "./2026_11_27_1800_next_date";
import * as silence from "./2026_11_27_2200_silence";
import * as triage from "./2026_11_30_0800_triage";

const ofChanges = <const C extends Changes>(changes: C) => ({
  changes,
  up: (db: Kysely<any>) => applyChanges(db, changes),
});

/** In order of time. One that does more than change tables is a file beside this one, named here: a bundle cannot scan a folder. */
export const migrations = {
  "2026_11_27_0800_initial": initial,
  /** Whether the next referral opens by itself once a status is set. */
  "2026_11_27_1200_going_on": ofChanges({ columns: { user: { goes_on: "flag not null default 0" } } }),
  /** Sign-in by an account of the hospital or of MitID: which account there is which user, and how a session began. */
  "2026_11_27_1500_external_identity": ofChanges({
    columns: {
      user: {
        /** Name of the account at the identity provider, in lower case; filled in by an administrator. */
        external_identity: "varchar(255)",
        /**
         * Issuer of that account, set with `external_subject` at the first sign-in there; from then on only these two count.
         */
        external_issuer: "varchar(255)",
        external_subject: "varchar(255)",
      },
      session: {
        /** `staff` or `referrers`: the identity provider that was used; null after a sign-in by password. */
        identity_provider: "varchar(12)",
        /** Whether that provider asked for a second factor. */
        has_second_factor: "flag not null default 0",
      },
    },
    unique: {
      user: {
        user_external_identity: ["external_identity"],
        user_external_subject: ["external_subject", "external_issuer"],
      },
    },
  }),
  "2026_11_27_1800_next_date": nextDate,
  /** How many times the referrer has been reminded of material that is missing, and when last. */
  "2026_11_27_1900_material_reminder": ofChanges({
    columns: { material_request: { reminders: "smallint not null default 0", reminded_at: "moment" } },
  }),
  /** Random look-ups of a month, which the person responsible for access goes through and signs. */
  "2026_11_27_2000_access_sample": ofChanges({
    tables: {
      access_sample: {
        columns: {
          id: "id",
          /** 'YYYY-MM' in Copenhagen. */
          month: "varchar(7) not null",
          drawn_at: "moment not null",
          drawn_by: "reference not null",
          /** JSON: `SampledLookUp[]`. Their events and referrals may have been deleted by age since. */
          lookups: "longText not null",
          note: "longText",
          signed_at: "moment",
          signed_by: "reference",
        },
        keys: { drawn_by: "user restrict", signed_by: "user restrict" },
        unique: { access_sample_by_month: ["month"] },
        indexes: { access_sample_by_drawer: ["drawn_by"], access_sample_by_signer: ["signed_by"] },
      },
    },
  }),
  /** When the operation time was last set or moved, for 'Senest sket'; unknown for times of before. */
  "2026_11_27_2100_time_set_at": ofChanges({ columns: { referral: { operation_set_at: "moment" } } }),
  "2026_11_27_2200_silence": silence,
  /** What the form asks for beside the diagnosis. */
  "2026_11_27_2300_health_prompts": ofChanges({
    columns: {
      referral: {
        allergies: "text",
        medication: "text",
        illnesses: "text",
        tobacco: "text",
        alcohol: "text",
        psyche: "text",
        /** The language, or how else the patient is to be understood. */
        interpreter: "varchar(100)",
      },
    },
  }),
  /** Day on which an image was taken, as the file or a person says, and whether a person has typed it. */
  "2026_11_27_2310_exposure_day": ofChanges({
    columns: { stored_file: { taken_on: "day", taken_on_is_typed: "flag not null default 0" } },
  }),
  /** The count of silent referrals also asks for the status, which it would otherwise read from each row. */
  "2026_11_28_0100_next_date_index": ofChanges({
    indexes: { referral: { referral_by_next_date_status: ["next_due_on", "id", "status"] } },
    droppedIndexes: { referral: ["referral_by_next_date"] },
  }),
  /** When the referral was last given another patient's CPR number, null if never: messages queued before it are not the patient's. */
  "2026_11_28_2300_patient_since": ofChanges({ columns: { referral: { patient_since: "moment" } } }),
  /** Whether staff must decide if the referral's name belongs to its CPR number (`nameQuestions` in referrals/model/name-question.ts); unknown for referrals of before. */
  "2026_11_28_2310_name_question": ofChanges({
    columns: { referral: { name_question: "smallint not null default 0" } },
  }),
  /** The e-mail address whose mailed link a user has opened: only such an address, while it equals `email_key`, names a user at an identity provider. */
  "2026_11_29_0030_proven_email": ofChanges({ columns: { user: { proven_email_key: "varchar(254)" } } }),
  /** Whether an answer names something clinical and is read first. Answers from before have none. */
  "2026_11_29_0100_sms_alarm": ofChanges({
    columns: { incoming_sms: { has_alarm: "flag not null default 0" } },
  }),
  /** The newest message that the writer's page showed; null where unknown. */
  "2026_11_29_0110_messages_seen": ofChanges({ columns: { message: { newest_seen_id: "integer" } } }),
  /** Whether a letter is urgent by its own words; null for letters from before this column. */
  "2026_11_29_0300_edi_urgent": ofChanges({ columns: { edi_message: { is_urgent: "flag" } } }),
  /** Which statuses there are is known by referrals/model/statuses.ts alone. */
  "2026_11_30_0700_status_range": ofChanges({
    checks: { referral: { "status between -1 and 16": "status between -1 and 99" } },
  }),
  "2026_11_30_0800_triage": triage,
  /** What patients were told of their time, and the last day for telling them another one (docs/rules/told-times.md); why referrals were closed (docs/rules/closing.md). Nothing is known of before. */
  "2026_11_30_1200_told_and_closed": ofChanges({
    tables: {
      told_time: {
        columns: {
          id: "id",
          referral_id: "reference not null",
          /** `YYYY-MM-DD HH:MM` in Copenhagen; null if the patient has cancelled, or has a time that nobody has entered yet. */
          moment: "varchar(16)",
          /** A way of `referrals/model/told-time.ts`. */
          how: "varchar(10) not null",
          /** The message that told it, until it is deleted by age. */
          outbox_id: "integer",
          told_at: "moment not null",
        },
        keys: { referral_id: "referral cascade" },
        indexes: { told_time_by_referral: ["referral_id", "id"] },
      },
    },
    columns: {
      referral: {
        tell_until: "day",
        /** Why it was closed (`referrals/model/closing.ts`); null where unknown. It counts while the status is 7. */
        closed_because: "varchar(12)",
      },
    },
    indexes: { referral: { referral_by_tell_until: ["tell_until", "id"] } },
  }),
  /** Work is in order of the clinic's urgency where it has judged, else of the referrer's, which alone made `queue_order`. Nothing reads that column any more. */
  "2026_11_30_1600_triage_order": ofChanges({
    computed: {
      referral: {
        /** `0` for urgent, `1` for recalled, else `2`, and the sending time. */
        triage_order: {
          type: "varchar(25)",
          from: "concat(case when coalesce(triage_urgency, reference_type) = 1 then '0' when recalled_at = status_since then '1' else '2' end, create_date)",
        },
      },
    },
    indexes: {
      referral: {
        referral_by_triage: ["status", "triage_order", "id"],
        referral_by_surgeons_triage: ["surgeon_id", "status", "triage_order", "id"],
      },
    },
    droppedIndexes: { referral: ["referral_by_queue", "referral_by_surgeons_queue"] },
  }),
  /** Why the referrer calls it urgent; 0 where not stated. */
  "2026_11_30_2300_urgent_reason": ofChanges({
    columns: { referral: { urgent_reason: "smallint not null default 0" } },
  }),
  /** Teeth that a referral is about and that an operation is planned for, by FDI as '36, 46'. */
  "2026_11_30_2310_teeth": ofChanges({
    columns: { referral: { teeth: "text", planned_teeth: "text" } },
  }),
  /** Urgent events that the next alarm mail will name, and those that the last one named (docs/rules/alarm.md). */
  "2026_11_30_2330_alarm": ofChanges({
    tables: {
      alarm: {
        columns: {
          id: "id",
          /** `referral`, `letter`, `answer` or `unplaced`. */
          cause: "varchar(10) not null",
          referral_id: "reference",
          edi_message_id: "reference",
          raised_at: "moment not null",
          told_at: "moment",
        },
        keys: { referral_id: "referral cascade", edi_message_id: "edi_message cascade" },
        indexes: {
          alarm_by_told: ["told_at"],
          alarm_by_referral: ["referral_id"],
          alarm_by_letter: ["edi_message_id"],
        },
      },
    },
  }),
} as const satisfies Record<string, Migration & { changes?: Changes }>;
