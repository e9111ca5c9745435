import type { Generated, GeneratedAlways } from "kysely";

/** UTC moment, ISO 8601 with milliseconds. */
type Moment = string;
/** 0 or 1: neither database has a boolean that binds and reads alike. */
type Flag = number;

interface UserTable {
  id: Generated<number>;
  user_name: string;
  /** `searchKey(user_name)`; unique, so that `Aase` and `åse` cannot both exist. */
  user_name_norm: string;
  first_name: string;
  last_name: string;
  name_sort: string;
  name_norm: string;
  email: string;
  phone: string | null;
  mobile_phone: string | null;
  status: number;
  password_hash: string | null;
  dentist_external_id: string | null;
  edi_dentist_id: string | null;
  send_ending_letters_via_edi: Flag;
  light_edition: Flag;
  shortcuts_off: Generated<Flag>;
  accepted_conditions_version: number | null;
  accepted_conditions_at: Moment | null;
  last_password_reset_at: Moment | null;
  /** Somebody else chose the password: it is changed before anything else is done. */
  must_change_password: Generated<Flag>;
  last_active_at: Moment | null;
  creator_id: number | null;
  /** Whom the account was merged into. */
  merged_into_id: Generated<number | null>;
  /** Computed: the e-mail in lower case. */
  email_key: GeneratedAlways<string>;
  created_at: Moment;
  modified_at: Moment;
  version: Generated<number>;
}

interface UserRoleTable {
  user_id: number;
  role: string;
}

interface UserClinicTable {
  user_id: number;
  clinic_id: number;
  is_primary: Flag;
}

interface ClinicTable {
  id: Generated<number>;
  name: string;
  name_sort: string;
  name_norm: string;
  address: string;
  zip: string;
  city: string;
  phone: string;
  mobile_phone: string | null;
  fax: string | null;
  email: string;
  status: number;
  /** The clinic that it was merged into. */
  merged_into_id: Generated<number | null>;
  /** Computed: the e-mail in lower case. */
  email_key: GeneratedAlways<string>;
  created_at: Moment;
  modified_at: Moment;
  version: Generated<number>;
}

interface SessionTable {
  /** SHA-256 of the cookie's token, hex. */
  id: string;
  user_id: number;
  created_at: Moment;
  last_seen_at: Moment;
  expires_at: Moment;
  /** Where the former release wrote `flash_sealed` in clear. */
  flash: string | null;
  /** Sealed: a JSON list of messages to show once. */
  flash_sealed: Generated<string | null>;
  info_popup_seen: Flag;
  callup_popup: Flag;
  /** Sealed form that was sent after the former session had expired. */
  restored_input: string | null;
  /** What it was begun with, such as `Chrome på Windows`. */
  device: Generated<string | null>;
}

/** What a person shows beside their password: in use, or being set up. */
interface SecondFactorTable {
  id: Generated<number>;
  user_id: number;
  is_active: Flag;
  row_key: string | null;
  secret_encrypted: string;
  /** The last step of 30 seconds whose code was taken. */
  last_step: number | null;
  created_at: Moment;
  activated_at: Moment | null;
}

/** Each is good once, in the place of a code. */
interface RecoveryCodeTable {
  id: Generated<number>;
  second_factor_id: number;
  row_key: string | null;
  code_encrypted: string;
  used_at: Moment | null;
}

interface CacheChangeTable {
  /** The beginning of the keys whose answers are void. */
  topic: string;
  process_id: string;
  version: string;
  changed_at: Moment;
}

interface PasswordRequestTable {
  id: Generated<number>;
  /** Where it was asked, as the accounts of the other site are unknown there. */
  site: "staff" | "public" | "local" | "inside";
  /** As it was typed; it may be nobody's. */
  email: string;
  requested_at: Moment;
}

interface ThrottleTable {
  /** HMAC of what is counted: never an address or a user name in clear. */
  id: string;
  window_start: Moment;
  hits: number;
}

interface AccessTokenTable {
  /** SHA-256 of the token, hex. */
  id: string;
  purpose: string;
  user_id: number | null;
  referral_id: number | null;
  /** Of a link to the files of one discharge letter. */
  letter_number: Generated<number | null>;
  /** Of a link to one appointment: `YYYY-MM-DD HH:MM` in Copenhagen. */
  operation_moment: Generated<string | null>;
  created_at: Moment;
  expires_at: Moment;
  used_at: Moment | null;
  revoked_at: Moment | null;
  /** newer | staff | changed */
  revoked_because: Generated<string | null>;
  /** When its patient last asked for a new one. */
  renewed_at: Generated<Moment | null>;
}

interface AuditEventTable {
  id: Generated<number>;
  at: Moment;
  actor_kind: string;
  actor_id: number | null;
  /** The key that it was done by; null for people and the portal itself. */
  api_key_id: Generated<number | null>;
  operation: string;
  outcome: string;
  detail: string | null;
  /** As they were at the time; null in rows from before they were written. */
  role: string | null;
  site: string | null;
  purpose: string | null;
  /** Keyed hashes: of the caller's address, of a user name as it was typed, and of a CPR number. */
  address_hash: string | null;
  account_hash: string | null;
  cpr_hash: string | null;
  /** The person that the operation was about. */
  subject_user_id: number | null;
}

interface KnownAddressTable {
  user_id: number;
  address_hash: string;
  last_at: Moment;
}

interface AuditReferralTable {
  referral_id: number;
  audit_event_id: number;
}

interface SettingTable {
  name: string;
  value: string;
  modified_at: Moment;
  modifier_id: number | null;
}

interface PortalTextTable {
  id: Generated<number>;
  /** `conditions`, `management` or `infoPopup`. */
  kind: string;
  version: number;
  body: string;
  button_text: string;
  created_at: Moment;
  author_id: Generated<number | null>;
}

interface TreatmentTypeTable {
  id: Generated<number>;
  name: string;
  name_sort: string;
  external_appointment_ids: string;
  patient_recommendation_link: string | null;
  deleted_at: Moment | null;
  version: Generated<number>;
}

interface PatientTable {
  id: Generated<number>;
  /** HMAC of the CPR number; one row per CPR. */
  cpr_hash: string;
  /** Lower-case; unique across patients. */
  email_norm: string | null;
  created_at: Moment;
}

export interface ReferralTable {
  id: Generated<number>;
  version: Generated<number>;
  /** Null while the referral is a draft. */
  sent_at: Moment | null;
  /** Sent: the moment it was sent. Draft: the moment it was begun. */
  create_date: Moment;
  modified_at: Moment;
  creator_id: number | null;
  modifier_id: number | null;
  /** -1 while it is a draft; otherwise one of the 17. */
  status: number;
  reference_type: number;
  call_type: number;
  visit_type: string;
  external_id: string | null;
  clinic_id: number | null;
  referrer_id: number | null;
  external_doctor_id: string | null;
  edi_responsible_dentist: string | null;
  send_notification_to_dentist: Flag;
  surgeon_id: number | null;
  patient_id: number | null;
  /** What the number is bound to (docs/decisions/0065). */
  row_key: Generated<string | null>;
  cpr_encrypted: string | null;
  cpr_hash: string | null;
  cpr6: string | null;
  birth_date: string | null;
  first_name: string;
  last_name: string;
  name_sort: string;
  profession: string | null;
  address: string | null;
  zip: string | null;
  city: string | null;
  phone: string | null;
  mobile_phone: string | null;
  email: string | null;
  email_norm: string | null;
  patient_without_eboks: Flag;
  payment_type: number;
  insurance_company: string | null;
  police_claim: string | null;
  region_number: string | null;
  region_address: string | null;
  region_institution: string | null;
  region_zip: string | null;
  region_city: string | null;
  approval_type: number;
  diagnose: string | null;
  previous_treatment: string | null;
  desired_treatment: string | null;
  comment: string | null;
  is_health_insurance: Flag;
  health_insurance_type: number;
  radiographs_send_type: number;
  /** How far the wizard has come: 1, 2 or 3. */
  available_step: number;
  operation_date: string | null;
  operation_hour: number | null;
  operation_minute: number | null;
  operation_duration: number | null;
  treatment_type_id: number | null;
  surgeon_comment: string | null;
  not_need_treatment_comment: string | null;
  price: string | null;
  is_test: Flag;
  exported_to_csv: Flag;
  has_radiographs: Flag;
  /** Files that were on their way when it was sent, and still are. */
  awaited_files: Generated<number>;
  has_unanswered_message: Flag;
  /** The clinic has not marked the referrer's messages read. */
  surgeon_has_unread_messages: Flag;
  /** The referrer's side has not marked the clinic's messages read. */
  referrer_has_unread_messages: Generated<Flag>;
  /** Of its images in the archive: 0 none to send, 1 planned, 2 failed, 3 archived; null: none was planned. */
  radiograph_export_status: number | null;
  send_radiograph_to_patient: Flag;
  force_radiograph_export: Flag;
  /** Of the newest call-up: 1 while any waits, else 4, 2 or 3 as the newest went. */
  call_up_status: number | null;
  /** Of the newest call-up: how, and when. */
  call_up_type: Generated<number | null>;
  call_up_date: Generated<Moment | null>;
  call_up_comment: Generated<string | null>;
  /** It has a discharge letter that is not deleted. */
  has_discharge_letter: Generated<Flag>;
  /** When one of its discharge letters was last sent with success. */
  discharge_sent_at: Generated<Moment | null>;
  /** The patient wants no discharge letter sent to the referrer. */
  declines_discharge_letter: Generated<Flag>;
  /** When it came into its status. */
  status_since: Moment | null;
  /** Counts changes of the status, of when it began and of the hold, by whomever. `version` counts all other edits. */
  status_version: Generated<number>;
  deleted_at: Moment | null;
  /** Messages of its thread of SMS, out and in. */
  sms_count: Generated<number>;
  /** Its thread holds an answer that counts as a cancellation. */
  has_cancellation_message: Generated<Flag>;
  /** When the patient cancelled the time; null while it stands. */
  cancellation_date: Generated<Moment | null>;
  /** Computed: the day and time of the operation as one number, `YYYYMMDDHHMM`. */
  operation_order: GeneratedAlways<number | null>;
  /** It goes before the others of its status while this is when it came into it. */
  recalled_at: Generated<Moment | null>;
  /** The day, YYYY-MM-DD, that it was last put on hold until, and when it had come into the status that it was put on hold in. */
  held_until: Generated<string | null>;
  held_since: Generated<Moment | null>;
  /** Computed: that day while it has that status; else empty. */
  hold_until: GeneratedAlways<string>;
  /** Computed: `0` for an urgent referral, `1` for a recalled one, else `2`, and when it came. */
  queue_order: GeneratedAlways<string>;
  /** Computed: 0 not in the list of SMS, 1 in it, 2 in it as cancelled. */
  sms_list: GeneratedAlways<number>;
  /** When the patient said that they will come to it; null again when it moves. */
  confirmed_at: Generated<Moment | null>;
}

/** What a patient said of their time. */
interface AppointmentAnswerTable {
  id: Generated<number>;
  referral_id: number;
  /** `YYYY-MM-DD HH:MM` in Copenhagen. */
  operation_moment: string;
  /** confirmed | cancelled */
  answer: string;
  /** link | sms */
  source: string;
  row_key: string | null;
  /** A word to the clinic, encrypted. */
  word_encrypted: string | null;
  at: Moment;
  /** Of a cancellation that moved the status: what it was. */
  status_before: number | null;
  undone_at: Moment | null;
  /** Null where the patient did it. */
  undone_by: number | null;
}

/** A time that was cancelled. */
interface FreedTimeTable {
  id: Generated<number>;
  referral_id: number;
  operation_moment: string;
  duration_minutes: number | null;
  treatment_type_id: number | null;
  surgeon_id: number | null;
  freed_at: Moment;
  closed_at: Moment | null;
  /** taken | undone | removed */
  closed_because: string | null;
  /** The referral that has it now. */
  taken_by: number | null;
}

interface TimeOfferTable {
  id: Generated<number>;
  freed_time_id: number;
  /** The same while the offer is open, else null: one open offer a time. */
  open_freed_time_id: number | null;
  referral_id: number;
  outbox_id: number | null;
  offered_by: number | null;
  offered_at: Moment;
  expires_at: Moment;
  /** open | accepted | declined | expired | withdrawn */
  outcome: string;
  settled_at: Moment | null;
}

interface AppointmentReminderTable {
  id: Generated<number>;
  referral_id: number;
  operation_moment: string;
  /** 1 to 3, of the settings; null: somebody sent it. */
  rule: number | null;
  outbox_id: number | null;
  queued_at: Moment;
}

interface AutosaveTable {
  id: Generated<number>;
  user_id: number;
  form_key: string;
  /** Null until the form has been saved once. */
  referral_id: number | null;
  /** Of the CPR number it was typed under; empty where none stood there. One copy a person, form and number. */
  cpr_hash: string;
  row_key: Generated<string | null>;
  /** Encrypted JSON: field name → what stands in it. */
  values_encrypted: string;
  modified_at: Moment;
}

/** A line of the treatment plan (visitAppointments). */
interface VisitAppointmentTable {
  id: Generated<number>;
  referral_id: number;
  /** A day in Copenhagen, `YYYY-MM-DD`. */
  date: string;
  /** `HH:MM` in Copenhagen. */
  time: string | null;
  duration_minutes: number | null;
  treatment: string;
  external_code: string;
  /** What its code meant when the line was written. */
  treatment_type_id: Generated<number | null>;
  is_cancelled: Flag;
  modified_at: Moment;
}

/** An uploaded file of appointment times. */
interface AppointmentFileTable {
  id: Generated<number>;
  user_id: number;
  file_name: string;
  /** 0 waits for 'Importér', 1 imported, 2 failed, 3 being imported. */
  status: number;
  status_text: string | null;
  row_count: number;
  rows_done: number;
  create_date: Moment;
  import_date: Moment | null;
  /** The first and the last day that the file has lines of; null where a line that cannot be read may be of any. */
  first_day: Generated<string | null>;
  last_day: Generated<string | null>;
  /** It came by the API: nobody is asked, and lines that are judged again are imported at once. */
  is_unattended: Generated<Flag>;
}

/** A row of such a file. */
interface AppointmentImportTable {
  id: Generated<number>;
  file_id: number;
  line: number;
  row_key: Generated<string | null>;
  /** Encrypted JSON of the row as it was read. */
  values_encrypted: string;
  cpr_hash: string | null;
  cpr6: string | null;
  referral_id: number | null;
  operation_date: string | null;
  operation_time: string | null;
  external_code: string;
  /** What the dry run said. */
  planned_status: number;
  /** What became of it; null until it is imported. */
  status: number | null;
  import_date: Moment | null;
  /** JSON of what the dry run decided, ids and days alone; null once it is imported. */
  plan: Generated<string | null>;
  /** Whether a person must say if it is a moved appointment or a further one. */
  asks: Generated<Flag>;
  /** The portal changed after the dry run: it waits for another 'Importér'. */
  is_shown_again: Generated<Flag>;
  /** The cause of its outcome, as a sentence. */
  note: Generated<string | null>;
}

/** The dry run of a file of clinics or referrers, until it is imported or a day old. */
interface DirectoryPlanTable {
  id: Generated<number>;
  user_id: number;
  kind: string;
  file_name: string;
  row_key: Generated<string | null>;
  /** Encrypted JSON of the lines with their values and outcomes. */
  lines_encrypted: string;
  created_at: Moment;
}

interface CallUpTable {
  id: Generated<number>;
  referral_id: number;
  /** Its latest sending, whose state holds; null: none went through the outbox, and its own columns say how it went. */
  outbox_id: Generated<number | null>;
  /** 0 Email, 1 Brev, 2 SMS, 3 e-Boks. */
  call_up_type: number;
  /** 1 planned, 2 failed, 3 succeeded, 4 protected address. */
  call_up_status: number;
  incall_date: Moment | null;
  row_key: Generated<string | null>;
  content_encrypted: string | null;
  stored_file_id: number | null;
  visit_log_id: number | null;
  /** Its referral while it waits to be sent: each once. */
  planned_referral_id: Generated<number | null>;
  /** The referral's status when it was asked for: where that still stands, the status moves when it has been sent. */
  referral_status: Generated<number | null>;
  created_at: Moment;
}

interface AppointmentLetterTable {
  id: Generated<number>;
  referral_id: number;
  /** Its latest sending, whose state holds; null: none went through the outbox, and its own columns say how it went. */
  outbox_id: Generated<number | null>;
  /** 0 Email, 1 Brev, 2 e-Boks. */
  appointment_type: number;
  /** One of the eleven delivery states. */
  status: number;
  send_date: Moment | null;
  row_key: Generated<string | null>;
  content_encrypted: string | null;
  created_at: Moment;
}

/** An invoice or an estimate that was sent by e-Boks. */
interface BillingLetterTable {
  id: Generated<number>;
  referral_id: number;
  /** Its latest sending, whose state holds; null: none went through the outbox, and its own columns say how it went. */
  outbox_id: Generated<number | null>;
  /** invoice | offer (an estimate) */
  kind: string;
  /** One of the eleven delivery states. */
  status: number;
  send_date: Moment | null;
  created_at: Moment;
}

/** A link to files that was sent to a patient; how it went stands in the outbox. */
interface PatientMessageTable {
  id: Generated<number>;
  referral_id: number;
  outbox_id: number;
  /** radiographLink | letterFilesLink */
  purpose: string;
  /** Null: the radiographs of the referral itself. */
  letter_number: number | null;
  /** 0 e-Boks, 1 SMS. */
  message_type: number;
  created_at: Moment;
}

/** An image on its way to the clinic's archive; one row a referral and file. */
interface ArchiveExportTable {
  id: Generated<number>;
  referral_id: number;
  stored_file_id: number;
  /** Its latest sending, whose state holds. */
  outbox_id: number;
  /** Since when its latest sending has been held back, because the file names another patient. */
  held_at: Generated<Moment | null>;
  /** Somebody has said that it is the patient's all the same. */
  released_by: Generated<number | null>;
  released_at: Generated<Moment | null>;
  /** Since when the patient's CPR number is another than the one that the image was last judged by. */
  corrected_at: Generated<Moment | null>;
  created_at: Moment;
}

/** A discharge letter, sent or waiting. */
interface DischargeLetterTable {
  id: Generated<number>;
  referral_id: number;
  /** The mail of its latest sending, whose state holds; null: none went through the outbox, and its own columns say how it went, or it went by EDI alone. */
  outbox_id: Generated<number | null>;
  /** The message by EDI of its latest sending; null where it went by mail alone. */
  edi_outbox_id: Generated<number | null>;
  letter_number: number;
  diagnosis_file_id: number | null;
  /** 0 queued, 1 sent, 2 failed. */
  status: number;
  error_message: string | null;
  /** When it was last sent with success. */
  send_date: Moment | null;
  recipient_email: string | null;
  surgeon_email: string | null;
  /** Which of its two sendings the latest one is. */
  attempts: number;
  is_edi: Flag;
  send_edi_as_email: Flag;
  /** Not in use: what the patient was sent about a letter stands in `patient_message`. Nothing reads or writes these three. */
  patient_message_type: Generated<null>;
  patient_message_status: Generated<null>;
  patient_message_status_date: Generated<null>;
  created_at: Moment;
  deleted_at: Moment | null;
  modifier_id: Generated<number | null>;
  modified_at: Generated<Moment | null>;
}

/** An X-ray image or photo that goes with a discharge letter. */
interface DischargeLetterImageTable {
  id: Generated<number>;
  discharge_letter_id: number;
  stored_file_id: number;
}

interface ReferralNameTokenTable {
  token: string;
  referral_id: number;
}

/** The words of a user's name, user name, e-mail and Henviser id. */
interface UserSearchTokenTable {
  token: string;
  user_id: number;
}

/** The words of a clinic's name, town, postal code, e-mail and phone. */
interface ClinicSearchTokenTable {
  token: string;
  clinic_id: number;
}

interface StoredFileTable {
  id: Generated<number>;
  storage_key: string;
  file_name: string;
  mime: string;
  size_bytes: number;
  sha256: string;
  /** clean | infected | notScanned, or why a scanner has not looked into it (gateways/virus-scanner/port.ts) */
  scan_state: string;
  /** Look-up of the CPR number in a DICOM header; null for other files and for headers without one. */
  dicom_cpr_hash: string | null;
  /** Encrypted JSON of what a DICOM header says beside the CPR number; null for other files and for those that came before it was kept. */
  dicom_facts_encrypted: Generated<string | null>;
  /** Look-up of the series that a DICOM file is a slice of, and its number there; null for other files and for those that came before it was kept. */
  dicom_series_hash: Generated<string | null>;
  /** Look-up of the UID that archives know a DICOM file by; null for other files and for those that came before it was kept. */
  dicom_instance_hash: Generated<string | null>;
  dicom_slice: Generated<number | null>;
  /** Somebody has said that it is the patient's, though it names another. */
  owner_confirmed_at: Generated<Moment | null>;
  owner_confirmed_by: Generated<number | null>;
  created_at: Moment;
  purge_after: Moment | null;
}

interface ReferralFileTable {
  id: Generated<number>;
  referral_id: number;
  /** radiograph | journal | approval | attachment */
  kind: string;
  radiograph_type: number | null;
  stored_file_id: number;
  uploaded_at: Moment;
  uploader_id: number | null;
  deleted_at: Moment | null;
  /** The message that brought it; null for files of the referral itself. */
  message_id: Generated<number | null>;
  /** What it was asked for as. */
  material_line_id: Generated<number | null>;
}

interface MaterialRequestTable {
  id: Generated<number>;
  referral_id: number;
  /** The referral's own when it was made: it holds as long as they are the same. */
  status_since: Moment;
  requested_by: number;
  requested_at: Moment;
  row_key: string | null;
  /** Words to the referrer, encrypted. */
  note_encrypted: string | null;
  /** When all of it had been answered, and the referral went back to be triaged. */
  completed_at: Moment | null;
}

interface MaterialLineTable {
  id: Generated<number>;
  request_id: number;
  /** Of `material-kinds.ts`. */
  kind: string;
  row_key: string | null;
  /** What 'Andet' is, and why the referrer has not got it: JSON, encrypted. */
  words_encrypted: string | null;
  /** A file has come, and others are on their way. */
  first_file_at: Moment | null;
  /** open | files | none | withdrawn */
  answer: string;
  answered_by: number | null;
  answered_at: Moment | null;
}

/** A file that came by EDI, kept as it came. */
interface EdiFileTable {
  id: Generated<number>;
  received_at: Moment;
  /** Of the file as it came: the same bytes are taken in once. */
  sha256: string;
  size_bytes: number;
  /** The encrypted file; null when it has been removed, and for one that was too big to be read. */
  stored_file_id: number | null;
  row_key: Generated<string | null>;
  /** Encrypted JSON: the key of the stored file, and what the sender called it. Empty when it has been removed. */
  content_encrypted: string;
}

/** One letter of such a file; one that is no letter at all has a row too. */
interface EdiMessageTable {
  id: Generated<number>;
  file_id: number;
  /** Its place in the envelope, from 0. */
  position: number;
  received_at: Moment;
  /** referral | correspondence | attachment | receipt | refused */
  kind: string;
  type: string | null;
  /** The sender's numbers, as they are. */
  letter_id: string | null;
  envelope_id: string | null;
  sender_ean: string | null;
  /** Of sender, letter, type and words: unique. Null for what was refused, and for a duplicate. */
  dedupe_key: string | null;
  row_key: Generated<string | null>;
  /** Encrypted JSON of what it says. Empty when it has been removed. */
  content_encrypted: string;
  cpr_hash: string | null;
  /** new | imported | attached | waiting | person | refused | duplicate | receipt | dismissed */
  state: string;
  reason: string | null;
  /** In words. */
  detail: string | null;
  /** When the import looks at it again; null where it does not. */
  next_at: Moment | null;
  referral_id: number | null;
  duplicate_of: number | null;
  decided_by: number | null;
  decided_at: Moment | null;
  /** The receipt that answers it. */
  receipt_outbox_id: number | null;
}

/** A file that came with a letter. */
interface EdiObjectTable {
  id: Generated<number>;
  message_id: number;
  object_id: string;
  /** Null where the file was refused. */
  stored_file_id: number | null;
  file_name: string;
  /** Why it was refused, in words. */
  refused: string | null;
  /** The referral that it is on. */
  referral_id: number | null;
}

/** A file that a letter says will come. */
interface EdiReferenceTable {
  id: Generated<number>;
  message_id: number;
  object_id: string;
  description: string | null;
  /** The file that has come. */
  edi_object_id: number | null;
  due_at: Moment;
  missing_since: Moment | null;
}

/** A sender that a person has said who it is. */
interface EdiSenderTable {
  id: Generated<number>;
  /** Of the practice's numbers and the person's name. */
  sender_key: string;
  referrer_id: number;
  linked_by: number | null;
  linked_at: Moment;
}

interface MessageTable {
  id: Generated<number>;
  referral_id: number;
  /** Written by the clinic's staff. */
  is_from_admin: Flag;
  author_id: number;
  author_name: string;
  text: string;
  created_at: Moment;
  edited_at: Moment | null;
  version: Generated<number>;
}

interface StagedUploadTable {
  id: Generated<number>;
  owner_id: number;
  form_key: string;
  field: string;
  kind: string;
  stored_file_id: number;
  created_at: Moment;
  /** Of an image that waits for its form. */
  radiograph_type: Generated<number | null>;
}

/** A piece of an upload under way. */
interface PartialUploadPartTable {
  upload_id: string;
  start_byte: number;
  size_bytes: number;
  storage_key: string;
  sha256: string;
  created_at: Moment;
}

interface PartialUploadTable {
  /** Random, 32 hexadecimal digits: the end of its address, and its key in the store once it has come whole. */
  id: string;
  owner_id: number;
  /** 0 while it belongs to a form that is not saved yet. */
  referral_id: number;
  /** The form that it was begun in, until that is saved. */
  form_key: string | null;
  radiograph_type: number;
  file_name: string;
  size_bytes: number;
  /** As the browser tells it, milliseconds since 1970: with name and size it tells whether the same file was chosen again. */
  last_modified: number;
  /** arriving | kept | refused */
  state: string;
  refusal: string | null;
  referral_file_id: number | null;
  created_at: Moment;
  /** When its referral was sent, or asked to be sent, without it. */
  awaited_at: Moment | null;
  /** The upload of the ZIP that it came out of. */
  archive_id: string | null;
  /** What it was asked for as. */
  material_line_id: Generated<number | null>;
}

/** A draft whose sender has pressed 'Send henvisning' while its files were on their way. */
interface AwaitedSendingTable {
  referral_id: number;
  requested_by: number;
  requested_at: Moment;
  /** It goes without what is missing by then. */
  due_at: Moment;
}

interface VisitLogTable {
  id: Generated<number>;
  referral_id: number;
  at: Moment;
  modifier_id: number | null;
  modifier_name: string;
  status: number | null;
  treatment_type_id: number | null;
  surgeon_comment: string | null;
  /** email | sms | EBOKS | print for what was sent; null for a change by a person. */
  log_type: string | null;
  /** What happened, in Danish, where the status alone does not say it. */
  event: string | null;
}

interface OutboxTable {
  id: Generated<number>;
  channel: string;
  kind: string;
  referral_id: number | null;
  /** Whom it is to. */
  user_id: number | null;
  /** Who pressed a button for it. */
  requested_by: Generated<number | null>;
  /** What its ciphertexts are bound to; null: written before they were, and not rewritten since. */
  row_key: Generated<string | null>;
  recipient_encrypted: string;
  /** Of an SMS: keyed hash of the number it goes to, by which an answer finds it. */
  recipient_hash: Generated<string | null>;
  /** JSON, by its channel: subject, text and html, a text, or title and text. */
  content_encrypted: string;
  /** 0 when the text has been removed for its age: nothing stands in its place. */
  has_text: GeneratedAlways<Flag>;
  /** The very file that leaves with it. */
  stored_file_id: Generated<number | null>;
  /** The message that it repeats. */
  resends_id: Generated<number | null>;
  /** The operation time that it tells the patient, as one text in Copenhagen. */
  operation_moment: Generated<string | null>;
  outcome: "queued" | "awaiting" | "sent" | "failed" | "unknown" | "withdrawn";
  /** The number that the lists and the API show for it: 0 to 10, or 0 to 2 for SMS. */
  code: number;
  detail: Generated<string | null>;
  /** Why it did not leave or arrive, where that is known. */
  reason: Generated<string | null>;
  /** The provider's own name for the message. */
  provider_reference: Generated<string | null>;
  attempts: number;
  created_at: Moment;
  /** Queued: not sent before. Awaiting: not asked about before. */
  not_before: Moment;
  expires_at: Generated<Moment | null>;
  /** Since when it has been due and could not be judged fit to send. */
  waiting_since: Generated<Moment | null>;
  lease_owner: Generated<string | null>;
  lease_until: Generated<Moment | null>;
  /** Set just before the gateway is called; a row that has it when its lease runs out was interrupted mid-send. */
  sending_since: Generated<Moment | null>;
  /** The address that a mail left from, or was last tried from; null of any other message, and before it was tried. */
  sender: Generated<string | null>;
  /** When it was handed over. */
  sent_at: Generated<Moment | null>;
  /** When it came to an end, good or bad. */
  settled_at: Generated<Moment | null>;
  /** It carries or links to the referral's files, which cannot be deleted while it waits. */
  needs_files: Generated<Flag>;
  /** Failed or unknown, and somebody has looked after it. */
  handled_at: Generated<Moment | null>;
  handled_by: Generated<number | null>;
  /** What was done instead. */
  handled_note: Generated<string | null>;
}

/** The clinic's own words for a kind of message in a channel: the newest version counts. */
interface MessageTemplateTable {
  id: Generated<number>;
  kind: string;
  channel: string;
  version: number;
  /** Empty where the channel has none. */
  subject: string;
  body: string;
  created_at: Moment;
  author_id: number | null;
}

/** Letters that are printed together: one PDF. */
interface LetterBatchTable {
  id: Generated<number>;
  created_at: Moment;
  /** Null: made by the job at its hour. */
  creator_id: number | null;
  stored_file_id: number;
  page_count: number;
  printed_at: Moment | null;
  printed_by: number | null;
  /** 'Ikke udskrevet': its letters wait for the next one. */
  withdrawn_at: Moment | null;
}

interface LetterBatchItemTable {
  id: Generated<number>;
  batch_id: number;
  outbox_id: number;
  /** The same while the batch is live: a letter is in one live batch at most. */
  live_outbox_id: number | null;
  position: number;
  first_page: number;
  page_count: number;
  /** Why it was taken out at 'Markér som udskrevet'. */
  left_out: string | null;
}

/** What a provider pushed, once each. */
interface DeliveryEventTable {
  id: Generated<number>;
  channel: string;
  event_id: string;
  /** receipt | reply | other */
  kind: string;
  outbox_id: number | null;
  received_at: Moment;
  row_key: Generated<string | null>;
  /** Encrypted JSON of a reply: from whom, and what. */
  content_encrypted: Generated<string | null>;
  /** When a reply was put where it belongs; null while it waits for that. */
  taken_at: Generated<Moment | null>;
}

/** An SMS from a patient, or from whoever has the number. */
interface IncomingSmsTable {
  id: Generated<number>;
  delivery_event_id: number;
  received_at: Moment;
  /** Keyed hash of the number it came from. */
  sender_hash: string;
  row_key: Generated<string | null>;
  /** Encrypted JSON: from whom, and what. */
  content_encrypted: string;
  /** 0 when both have been removed for their age. */
  has_text: GeneratedAlways<Flag>;
  /** The referral whose thread it stands in; null while nobody knows. */
  referral_id: number | null;
  /** cancelled | possibly | none | stop: what its text says. */
  judgement: string;
  /** unplaced | possibly | unread | settled | dismissed: what somebody has still to do about it. */
  state: string;
  /** It counts as a cancellation. */
  cancellation_detected: Generated<Flag>;
  settled_by: Generated<number | null>;
  settled_at: Generated<Moment | null>;
}

/** A number that wants no reminders. */
interface SmsStopTable {
  id: Generated<number>;
  number_hash: string;
  row_key: Generated<string | null>;
  number_encrypted: string;
  stopped_at: Moment;
}

/** A booking of parking for one day; the row goes the day after. */
interface ParkingBookingTable {
  id: Generated<number>;
  reference_number: string;
  /** In Copenhagen, `YYYY-MM-DD`. */
  booking_day: string;
  /** Keyed hash of day, plate and number: one booking of them. */
  booking_hash: string;
  row_key: string | null;
  /** JSON of day, plate, the number as it was typed, and as E.164. */
  content_encrypted: string;
  /** Whose visit it is for; only of a booking by staff. */
  referral_id: number | null;
  /** Who of the staff made it; null: the public page. */
  user_id: number | null;
  created_at: Moment;
}

/** An SMS that tells of a booking. */
interface ParkingReceiptTable {
  id: Generated<number>;
  booking_id: number;
  outbox_id: number;
  number_hash: string;
  /** The day in Copenhagen that it counts for. */
  sent_day: string;
}

interface ParkingDayTable {
  day: string;
  /** Receipts that were not sent, because the day had had its number of them. */
  withheld: number;
}

interface JobRunTable {
  name: string;
  next_run_at: Moment;
  started_at: Moment | null;
  finished_at: Moment | null;
  /** done | failed */
  outcome: string | null;
  lease_owner: string | null;
  lease_until: Moment | null;
}

interface MassChangeTable {
  id: Generated<number>;
  user_id: number;
  at: Moment;
  status: number;
  /** How many referrals it changed. */
  changed: number;
  /** Numbers of those that somebody else had changed meanwhile, parted by commas. */
  left_out: string;
  undone_at: Moment | null;
}

interface MassChangeRowTable {
  mass_change_id: number;
  referral_id: number;
  status_before: number;
  since_before: Moment | null;
  /** The referral's `status_version` after the change. */
  version_after: number;
  /** A mail about the status before had not been sent yet. */
  mail_was_waiting: Flag;
}

/** How often something happened on a day (D), in a third of a month (T), or in a month (M); the latter are named by their first days. */
interface StatisticsSumTable {
  measure: string;
  grain: "D" | "T" | "M";
  start: string;
  /** What the measure parts further by: urgency, status, a number of days, channel and outcome. */
  bucket: string;
  /** Zero where there is none, and in measures that are not parted by it. */
  referrer_id: number;
  clinic_id: number;
  treatment_type_id: number;
  n: number;
}

/** What one referral has added to the sums. */
interface StatisticsContributionTable {
  referral_id: number;
  /** The count that it belongs to; an older one counts as nothing. */
  generation: number;
  /** JSON list of entries. */
  entries: string;
}

/** `generation`: the count that holds. `nextReferral`: how far the present recount has come; 0 when none goes on. */
interface StatisticsStateTable {
  name: "generation" | "nextReferral";
  value: number;
}

/** How often a page was opened on a day, by people with a role. */
interface PageViewTable {
  day: string;
  page: string;
  role: string;
  n: number;
}

interface OutboxAttemptTable {
  id: Generated<number>;
  outbox_id: number;
  at: Moment;
  outcome: string;
  detail: string | null;
}

/** One merging of users or of clinics into one of them. */
interface MergeRunTable {
  id: Generated<number>;
  kind: "user" | "clinic";
  winner_id: number;
  /** `moving` and `undoing` are the job's to end. */
  state: "moving" | "done" | "undoing" | "undone";
  /** JSON of the winner: column → value; of a user also `roles`. */
  values_before: string;
  values_after: string;
  actor_id: number | null;
  at: Moment;
  moved_at: Moment | null;
  undone_by: number | null;
  undone_at: Moment | null;
}

interface MergeLoserTable {
  run_id: number;
  loser_id: number;
  status_before: number;
  /** JSON list: who had been merged into it before, and is the winner's since. */
  merged_before: string;
}

/** A row that a run moved. */
interface MergeMovedTable {
  run_id: number;
  /** Table and column. */
  place: string;
  row_id: number;
  from_id: number;
  /** Of a membership: what it was. */
  detail: string | null;
  /** moved | back | left: what an undo made of it. */
  outcome: "moved" | "back" | "left";
}

interface IdempotencyTable {
  user_id: number;
  operation: string;
  form_key: string;
  /** Empty: `answer` says it. */
  location: string;
  /** JSON: where it led to and, sealed, what was said; null until the form has been carried out. */
  answer: Generated<string | null>;
  created_at: Moment;
}

/** Which secrets have encrypted text here; `lost_at` when it was given up. */
interface EncryptionKeyTable {
  key_id: string;
  first_used_at: Moment;
  lost_at: Moment | null;
}

interface ApiKeyTable {
  id: Generated<number>;
  name: string;
  /** SHA-256 of the key. */
  key_hash: string;
  /** Its first characters, to tell it from others. */
  key_hint: string;
  /** Parted by commas (access/api-key-scopes.ts). */
  scopes: string;
  /** Null: all clinics. */
  clinic_id: number | null;
  /** In whose name it writes. */
  user_id: number;
  creator_id: number;
  /** Addresses and ranges that it may be used from, parted by spaces; empty: any. */
  addresses: string;
  calls_per_minute: number;
  created_at: Moment;
  expires_at: Moment;
  last_used_at: Moment | null;
  revoked_at: Moment | null;
  /** Null where the portal itself ended it. */
  revoked_by: number | null;
}

interface UpkeepTable {
  /** copy | backup | restoring */
  name: string;
  /** When the copy was made; until when the backup that is being made may still be at work. */
  at: Moment;
}

export interface Database {
  user: UserTable;
  user_role: UserRoleTable;
  user_clinic: UserClinicTable;
  clinic: ClinicTable;
  session: SessionTable;
  cache_change: CacheChangeTable;
  throttle: ThrottleTable;
  access_token: AccessTokenTable;
  password_request: PasswordRequestTable;
  api_key: ApiKeyTable;
  upkeep: UpkeepTable;
  audit_event: AuditEventTable;
  audit_referral: AuditReferralTable;
  known_address: KnownAddressTable;
  setting: SettingTable;
  portal_text: PortalTextTable;
  treatment_type: TreatmentTypeTable;
  patient: PatientTable;
  referral: ReferralTable;
  appointment_answer: AppointmentAnswerTable;
  freed_time: FreedTimeTable;
  time_offer: TimeOfferTable;
  appointment_reminder: AppointmentReminderTable;
  autosave: AutosaveTable;
  visit_appointment: VisitAppointmentTable;
  appointment_file: AppointmentFileTable;
  appointment_import: AppointmentImportTable;
  directory_plan: DirectoryPlanTable;
  call_up: CallUpTable;
  appointment_letter: AppointmentLetterTable;
  billing_letter: BillingLetterTable;
  discharge_letter: DischargeLetterTable;
  patient_message: PatientMessageTable;
  archive_export: ArchiveExportTable;
  discharge_letter_image: DischargeLetterImageTable;
  referral_name_token: ReferralNameTokenTable;
  user_search_token: UserSearchTokenTable;
  clinic_search_token: ClinicSearchTokenTable;
  stored_file: StoredFileTable;
  referral_file: ReferralFileTable;
  material_request: MaterialRequestTable;
  material_line: MaterialLineTable;
  edi_file: EdiFileTable;
  edi_message: EdiMessageTable;
  edi_object: EdiObjectTable;
  edi_reference: EdiReferenceTable;
  edi_sender: EdiSenderTable;
  message: MessageTable;
  staged_upload: StagedUploadTable;
  partial_upload: PartialUploadTable;
  awaited_sending: AwaitedSendingTable;
  partial_upload_part: PartialUploadPartTable;
  visit_log: VisitLogTable;
  mass_change: MassChangeTable;
  mass_change_row: MassChangeRowTable;
  outbox: OutboxTable;
  outbox_attempt: OutboxAttemptTable;
  statistics_sum: StatisticsSumTable;
  statistics_contribution: StatisticsContributionTable;
  statistics_state: StatisticsStateTable;
  page_view: PageViewTable;
  message_template: MessageTemplateTable;
  letter_batch: LetterBatchTable;
  letter_batch_item: LetterBatchItemTable;
  delivery_event: DeliveryEventTable;
  incoming_sms: IncomingSmsTable;
  sms_stop: SmsStopTable;
  parking_booking: ParkingBookingTable;
  parking_receipt: ParkingReceiptTable;
  parking_day: ParkingDayTable;
  job_run: JobRunTable;
  merge_run: MergeRunTable;
  merge_loser: MergeLoserTable;
  merge_moved: MergeMovedTable;
  idempotency: IdempotencyTable;
  encryption_key: EncryptionKeyTable;
  second_factor: SecondFactorTable;
  recovery_code: RecoveryCodeTable;
}
