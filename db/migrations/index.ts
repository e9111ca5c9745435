import type { Migration } from "kysely";
import type { Changes } from "../ddl.server";
import * as initial from "./2026_11_27_0800_initial";
import * as goingOn from "./2026_11_27_1200_going_on";
import * as externalIdentity from "./2026_11_27_1500_external_identity";
import * as nextDate from "./2026_11_27_1800_next_date";
import * as materialReminder from "./2026_11_27_1900_material_reminder";
import * as accessSample from "./2026_11_27_2000_access_sample";
import * as timeSetAt from "./2026_11_27_2100_time_set_at";
import * as silence from "./2026_11_27_2200_silence";
import * as healthPrompts from "./2026_11_27_2300_health_prompts";
import * as exposureDay from "./2026_11_27_2310_exposure_day";
import * as nextDateIndex from "./2026_11_28_0100_next_date_index";
import * as patientSince from "./2026_11_28_2300_patient_since";
import * as nameQuestion from "./2026_11_28_2310_name_question";
import * as provenEmail from "./2026_11_29_0030_proven_email";
import * as smsAlarm from "./2026_11_29_0100_sms_alarm";
import * as messagesSeen from "./2026_11_29_0110_messages_seen";
import * as ediUrgent from "./2026_11_29_0300_edi_urgent";

/** Listed by hand, in order: a bundle cannot scan a folder. */
export const migrations = {
  "2026_11_27_0800_initial": initial,
  "2026_11_27_1200_going_on": goingOn,
  "2026_11_27_1500_external_identity": externalIdentity,
  "2026_11_27_1800_next_date": nextDate,
  "2026_11_27_1900_material_reminder": materialReminder,
  "2026_11_27_2000_access_sample": accessSample,
  "2026_11_27_2100_time_set_at": timeSetAt,
  "2026_11_27_2200_silence": silence,
  "2026_11_27_2300_health_prompts": healthPrompts,
  "2026_11_27_2310_exposure_day": exposureDay,
  "2026_11_28_0100_next_date_index": nextDateIndex,
  "2026_11_28_2300_patient_since": patientSince,
  "2026_11_28_2310_name_question": nameQuestion,
  "2026_11_29_0030_proven_email": provenEmail,
  "2026_11_29_0100_sms_alarm": smsAlarm,
  "2026_11_29_0110_messages_seen": messagesSeen,
  "2026_11_29_0300_edi_urgent": ediUrgent,
} as const satisfies Record<string, Migration & { changes?: Changes }>;
