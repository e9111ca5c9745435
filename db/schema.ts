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
  goes_on: Generated<Flag>;
  /** Name of the account at the identity provider, in lower case; filled in by an administrator. */
  external_identity: Generated<string | null>;
  /**
   * Issuer of that account, set with `external_subject` at the first sign-in there; from then on only these two count.
   */
  external_issuer: Generated<string | null>;
  external_subject: Generated<string | null>;
  /** The address that a mailed link has proven; it counts while it equals `email_key`. */
  proven_email_key: Generated<string | null>;
  accepted_conditions_version: number | null;
  accepted_conditions_at: Moment | null;
  last_password_reset_at: Moment | null;
  must_change_password: Generated<Flag>;
  last_active_at: Moment | null;
  creator_id: number | null;
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
  merged_into_id: Generated<number | null>;
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
  /** Written by a former release in clear. */
  flash: string | null;
  /** Sealed: a JSON list of messages to show once. */
  flash_sealed: Generated<string | null>;
  info_popup_seen: Flag;
  callup_popup: Flag;
  /** Sealed form that arrived after its session had expired. */
  restored_input: string | null;
  /** Browser and system at sign-in, such as `Chrome på Windows`. */
  device: Generated<string | null>;
  /** `staff` or `referrers`: the identity provider that was used; null after a sign-in by password. */
  identity_provider: Generated<string | null>;
  /** Whether that provider asked for a second factor. */
  has_second_factor: Generated<Flag>;
}

/** A person's second factor, active or being set up. */
interface SecondFactorTable {
  id: Generated<number>;
  user_id: number;
  is_active: Flag;
  row_key: string | null;
  secret_encrypted: string;
  /** The last 30-second step whose code was accepted. */
  last_step: number | null;
  created_at: Moment;
  activated_at: Moment | null;
}

/** Each is valid once in place of a code. */
interface RecoveryCodeTable {
  id: Generated<number>;
  second_factor_id: number;
  row_key: string | null;
  code_encrypted: string;
  used_at: Moment | null;
}

interface CacheChangeTable {
  /** Prefix of the invalidated keys. */
  topic: string;
  process_id: string;
  version: string;
  changed_at: Moment;
}

interface PasswordRequestTable {
  id: Generated<number>;
  /** Site of the request; accounts of the other site are unknown there. */
  site: "staff" | "public" | "local" | "inside";
  /** As typed; it may belong to nobody. */
  email: string;
  requested_at: Moment;
}

interface ThrottleTable {
  /** HMAC of the counted thing; never an address or user name in clear. */
  id: string;
  window_start: Moment;
  hits: number;
}

interface AccessTokenTable {
  id: string;
  purpose: string;
  user_id: number | null;
  referral_id: number | null;
  /** Set for a link to the files of one discharge letter. */
  letter_number: Generated<number | null>;
  /** Set for a link to one appointment: `YYYY-MM-DD HH:MM` in Copenhagen. */
  operation_moment: Generated<string | null>;
  created_at: Moment;
  expires_at: Moment;
  used_at: Moment | null;
  revoked_at: Moment | null;
  /** newer | staff | changed */
  revoked_because: Generated<string | null>;
  /** When the patient last requested a new one. */
  renewed_at: Generated<Moment | null>;
}

interface AuditEventTable {
  id: Generated<number>;
  at: Moment;
  actor_kind: string;
  actor_id: number | null;
  /** The API key that was used; null for people and the portal itself. */
  api_key_id: Generated<number | null>;
  operation: string;
  outcome: string;
  detail: string | null;
  /** Role and purpose at the time; null in older rows. */
  role: string | null;
  site: string | null;
  purpose: string | null;
  /** Keyed hashes of the caller's address, a typed user name, and a CPR number. */
  address_hash: string | null;
  account_hash: string | null;
  cpr_hash: string | null;
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

interface AccessSampleTable {
  id: Generated<number>;
  /** 'YYYY-MM' in Copenhagen. */
  month: string;
  drawn_at: Moment;
  drawn_by: number;
  /** JSON: `SampledLookUp[]`. Their events and referrals may have been deleted by age since. */
  lookups: string;
  note: string | null;
  signed_at: Moment | null;
  signed_by: number | null;
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
  /** Sent: when it was sent. Draft: when it was begun. */
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
  /** Identity that the encrypted CPR number is bound to (docs/decisions/0065). */
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
  allergies: Generated<string | null>;
  medication: Generated<string | null>;
  illnesses: Generated<string | null>;
  tobacco: Generated<string | null>;
  alcohol: Generated<string | null>;
  /** The language, or how else the patient is to be understood. */
  interpreter: Generated<string | null>;
  psyche: Generated<string | null>;
  is_health_insurance: Flag;
  health_insurance_type: number;
  radiographs_send_type: number;
  /** The wizard's furthest step: 1, 2 or 3. */
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
  awaited_files: Generated<number>;
  has_unanswered_message: Flag;
  surgeon_has_unread_messages: Flag;
  /** Unread messages of the clinic for the referrer's side; the column above is for those of the referrer. */
  referrer_has_unread_messages: Generated<Flag>;
  /** State of its images in the archive: 0 none to send, 1 planned, 2 failed, 3 archived; null: none planned. */
  radiograph_export_status: number | null;
  send_radiograph_to_patient: Flag;
  force_radiograph_export: Flag;
  call_up_status: number | null;
  call_up_type: Generated<number | null>;
  call_up_date: Generated<Moment | null>;
  call_up_comment: Generated<string | null>;
  /** Whether a discharge letter exists that is not deleted. */
  has_discharge_letter: Generated<Flag>;
  /** When a discharge letter was last sent successfully. */
  discharge_sent_at: Generated<Moment | null>;
  declines_discharge_letter: Generated<Flag>;
  status_since: Moment | null;
  /** Counts changes of status, its start, and hold. `version` counts all other edits. */
  status_version: Generated<number>;
  deleted_at: Moment | null;
  sms_count: Generated<number>;
  has_cancellation_message: Generated<Flag>;
  cancellation_date: Generated<Moment | null>;
  /** Computed: day and time of the operation as a number, `YYYYMMDDHHMM`. */
  operation_order: GeneratedAlways<number | null>;
  /** While equal to `status_since`, the referral is sorted first in its status. */
  recalled_at: Generated<Moment | null>;
  /**
   * `held_until`: day until which it was last put on hold, `YYYY-MM-DD`; the other is the start of its status at that
   * time.
   */
  held_until: Generated<string | null>;
  held_since: Generated<Moment | null>;
  /** Computed: that day while it has that status; otherwise empty. */
  hold_until: GeneratedAlways<string>;
  /** The day by which something must happen, `YYYY-MM-DD`, written before each commit; far ahead where nothing must. */
  next_due_on: Generated<string>;
  operation_set_at: Generated<Moment | null>;
  /** When the CPR number last became another patient's; null if never. Older messages are not the patient's. */
  patient_since: Generated<Moment | null>;
  /** Whether the name belongs to the CPR number: `nameQuestions` in referrals/model/name-question.ts. */
  name_question: Generated<number>;
  /** Computed: `0` for urgent, `1` for recalled, else `2`, and the sending time. */
  queue_order: GeneratedAlways<string>;
  /** Computed: 0 not in the SMS list, 1 in it, 2 in it as cancelled. */
  sms_list: GeneratedAlways<number>;
  /** When the patient confirmed the time; null again when it moves. */
  confirmed_at: Generated<Moment | null>;
}

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
  /** Message to the clinic, encrypted. */
  word_encrypted: string | null;
  at: Moment;
  /** For a cancellation that changed the status: the former one. */
  status_before: number | null;
  undone_at: Moment | null;
  /** Null if the patient did. */
  undone_by: number | null;
}

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
  taken_by: number | null;
}

interface TimeOfferTable {
  id: Generated<number>;
  freed_time_id: number;
  /** Equal while the offer is open, else null: a unique index allows one open offer per time. */
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
  /** 1 to 3 of the settings; null if sent by a person. */
  rule: number | null;
  outbox_id: number | null;
  queued_at: Moment;
}

interface AutosaveTable {
  id: Generated<number>;
  user_id: number;
  form_key: string;
  /** Null until the form is saved. */
  referral_id: number | null;
  /** Hash of the CPR number it was typed under; empty without one. One copy per person, form and number. */
  cpr_hash: string;
  row_key: Generated<string | null>;
  /** Encrypted JSON: field name → value. */
  values_encrypted: string;
  modified_at: Moment;
}

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
  /** Treatment type that the line's code meant when the line was written. */
  treatment_type_id: Generated<number | null>;
  is_cancelled: Flag;
  modified_at: Moment;
}

interface AppointmentFileTable {
  id: Generated<number>;
  user_id: number;
  file_name: string;
  /** 0 awaiting 'Importér', 1 imported, 2 failed, 3 importing. */
  status: number;
  status_text: string | null;
  row_count: number;
  rows_done: number;
  create_date: Moment;
  import_date: Moment | null;
  /** First and last day of the file's lines; null if an unreadable line may belong to any day. */
  first_day: Generated<string | null>;
  last_day: Generated<string | null>;
  /** Uploaded by API: nobody is asked, and lines judged again are imported at once. */
  is_unattended: Generated<Flag>;
}

interface AppointmentImportTable {
  id: Generated<number>;
  file_id: number;
  line: number;
  row_key: Generated<string | null>;
  values_encrypted: string;
  cpr_hash: string | null;
  cpr6: string | null;
  referral_id: number | null;
  operation_date: string | null;
  operation_time: string | null;
  external_code: string;
  planned_status: number;
  /** Result of the import; null before. */
  status: number | null;
  import_date: Moment | null;
  /** JSON of the dry run's decision, with ids and days only; null once imported. */
  plan: Generated<string | null>;
  /** Whether a person must say if it is a moved or a further appointment. */
  asks: Generated<Flag>;
  /** The portal changed after the dry run, so it awaits another 'Importér'. */
  is_shown_again: Generated<Flag>;
  /** Reason of its result, as a sentence. */
  note: Generated<string | null>;
}

/** Dry run of a file of clinics or referrers, kept until imported or for a day. */
interface DirectoryPlanTable {
  id: Generated<number>;
  user_id: number;
  kind: string;
  file_name: string;
  row_key: Generated<string | null>;
  lines_encrypted: string;
  created_at: Moment;
}

interface CallUpTable {
  id: Generated<number>;
  referral_id: number;
  /**
   * Latest sending, whose state counts; null: sent without the outbox, and its own columns have the state. Equal in
   * appointment letters and bills.
   */
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
  /** Id of its referral while it waits, so that a unique index allows one. */
  planned_referral_id: Generated<number | null>;
  /** The referral's status when it was requested; the status changes after sending only if it is still that. */
  referral_status: Generated<number | null>;
  created_at: Moment;
}

interface AppointmentLetterTable {
  id: Generated<number>;
  referral_id: number;
  outbox_id: Generated<number | null>;
  /** 0 Email, 1 Brev, 2 e-Boks. */
  appointment_type: number;
  /** One of the eleven delivery states, as in bills. */
  status: number;
  send_date: Moment | null;
  row_key: Generated<string | null>;
  content_encrypted: string | null;
  created_at: Moment;
}

interface BillingLetterTable {
  id: Generated<number>;
  referral_id: number;
  outbox_id: Generated<number | null>;
  /** invoice | offer (an estimate) */
  kind: string;
  status: number;
  send_date: Moment | null;
  created_at: Moment;
}

/** A link to files sent to a patient; its state is in the outbox. */
interface PatientMessageTable {
  id: Generated<number>;
  referral_id: number;
  outbox_id: number;
  /** radiographLink | letterFilesLink */
  purpose: string;
  /** Null for the referral's own radiographs. */
  letter_number: number | null;
  /** 0 e-Boks, 1 SMS. */
  message_type: number;
  created_at: Moment;
}

/** An image to be archived; one row per referral and file. */
interface ArchiveExportTable {
  id: Generated<number>;
  referral_id: number;
  stored_file_id: number;
  /** Latest sending, whose state counts. */
  outbox_id: number;
  /** Since when it is withheld because the file names another patient. */
  held_at: Generated<Moment | null>;
  /** Person who confirmed that it is the patient's. */
  released_by: Generated<number | null>;
  released_at: Generated<Moment | null>;
  corrected_at: Generated<Moment | null>;
  created_at: Moment;
}

interface DischargeLetterTable {
  id: Generated<number>;
  referral_id: number;
  /** Mail of its latest sending, whose state counts; null: sent without the outbox, or by EDI only. */
  outbox_id: Generated<number | null>;
  /** EDI message of its latest sending; null if sent by mail only. */
  edi_outbox_id: Generated<number | null>;
  letter_number: number;
  diagnosis_file_id: number | null;
  /** 0 queued, 1 sent, 2 failed. */
  status: number;
  error_message: string | null;
  send_date: Moment | null;
  recipient_email: string | null;
  surgeon_email: string | null;
  /** Which of its two sendings is the latest. */
  attempts: number;
  is_edi: Flag;
  send_edi_as_email: Flag;
  /** Unused: messages to patients about letters are in `patient_message`. */
  patient_message_type: Generated<null>;
  patient_message_status: Generated<null>;
  patient_message_status_date: Generated<null>;
  created_at: Moment;
  deleted_at: Moment | null;
  modifier_id: Generated<number | null>;
  modified_at: Generated<Moment | null>;
}

interface DischargeLetterImageTable {
  id: Generated<number>;
  discharge_letter_id: number;
  stored_file_id: number;
}

interface ReferralNameTokenTable {
  token: string;
  referral_id: number;
}

/** Search words of a user's name, user name, e-mail and Henviser id. */
interface UserSearchTokenTable {
  token: string;
  user_id: number;
}

/** Search words of a clinic's name, town, postal code, e-mail and phone. */
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
  /** clean | infected | notScanned, or the reason for no scan (gateways/virus-scanner/port.ts) */
  scan_state: string;
  /** Keyed hash of the CPR number in a DICOM header; null without one. */
  dicom_cpr_hash: string | null;
  /** Encrypted JSON of a DICOM header without the CPR number; null for other and older files. */
  dicom_facts_encrypted: Generated<string | null>;
  /** Keyed hash of a DICOM slice's series, and its number in it; null for other and older files. */
  dicom_series_hash: Generated<string | null>;
  /** Keyed hash of the UID by which archives know a DICOM file; null for other and older files. */
  dicom_instance_hash: Generated<string | null>;
  dicom_slice: Generated<number | null>;
  /** Day on which the image was taken, `YYYY-MM-DD`, as the file or a person says; null if unknown. */
  taken_on: Generated<string | null>;
  taken_on_is_typed: Generated<Flag>;
  /** Confirmed by a person as the patient's although it names another. */
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
  /** The message it was attached to; null for files of the referral itself. */
  message_id: Generated<number | null>;
  /** The requested item that it answers. */
  material_line_id: Generated<number | null>;
}

interface MaterialRequestTable {
  id: Generated<number>;
  referral_id: number;
  /** The referral's `status_since` when requested: the request is valid while they are equal. */
  status_since: Moment;
  requested_by: number;
  requested_at: Moment;
  row_key: string | null;
  note_encrypted: string | null;
  completed_at: Moment | null;
  /** How many times the referrer has been reminded, and when last. */
  reminders: Generated<number>;
  reminded_at: Generated<Moment | null>;
}

interface MaterialLineTable {
  id: Generated<number>;
  request_id: number;
  /** A kind of `material-kinds.ts`. */
  kind: string;
  row_key: string | null;
  /** Encrypted JSON: text of 'Andet', and why the referrer does not have it. */
  words_encrypted: string | null;
  /** When the first file arrived, while others are awaited. */
  first_file_at: Moment | null;
  /** open | files | none | withdrawn */
  answer: string;
  answered_by: number | null;
  answered_at: Moment | null;
}

interface EdiFileTable {
  id: Generated<number>;
  received_at: Moment;
  /** SHA-256 of the received bytes; equal files are imported once. */
  sha256: string;
  size_bytes: number;
  /** The encrypted file; null if removed or too large to read. */
  stored_file_id: number | null;
  row_key: Generated<string | null>;
  /** Encrypted JSON: key of the stored file and the sender's file name. Empty once removed. */
  content_encrypted: string;
}

/** One letter of a file; an unreadable file has one row too. */
interface EdiMessageTable {
  id: Generated<number>;
  file_id: number;
  /** Position in the envelope, from 0. */
  position: number;
  received_at: Moment;
  /** referral | correspondence | attachment | receipt | refused */
  kind: string;
  type: string | null;
  /** Letter number, envelope number and location number as the sender wrote them. */
  letter_id: string | null;
  envelope_id: string | null;
  sender_ean: string | null;
  /** Unique hash of sender, letter, type and content. Null for refused ones and duplicates. */
  dedupe_key: string | null;
  row_key: Generated<string | null>;
  /** Encrypted JSON of its content. Empty once removed. */
  content_encrypted: string;
  cpr_hash: string | null;
  /** By its own words; null for letters from before the column. */
  is_urgent: Generated<Flag | null>;
  /** new | imported | attached | waiting | person | refused | duplicate | receipt | dismissed */
  state: string;
  reason: string | null;
  detail: string | null;
  /** When the import looks at it again; null for never. */
  next_at: Moment | null;
  referral_id: number | null;
  duplicate_of: number | null;
  decided_by: number | null;
  decided_at: Moment | null;
  receipt_outbox_id: number | null;
}

interface EdiObjectTable {
  id: Generated<number>;
  message_id: number;
  object_id: string;
  stored_file_id: number | null;
  file_name: string;
  /** Why it was refused, in Danish. */
  refused: string | null;
  referral_id: number | null;
}

/** A file announced by a letter. */
interface EdiReferenceTable {
  id: Generated<number>;
  message_id: number;
  object_id: string;
  description: string | null;
  edi_object_id: number | null;
  due_at: Moment;
  missing_since: Moment | null;
}

/** A sender that a person has linked to a referrer. */
interface EdiSenderTable {
  id: Generated<number>;
  /** Hash of the practice's numbers and the person's name. */
  sender_key: string;
  referrer_id: number;
  linked_by: number | null;
  linked_at: Moment;
}

interface MessageTable {
  id: Generated<number>;
  referral_id: number;
  is_from_admin: Flag;
  author_id: number;
  author_name: string;
  text: string;
  created_at: Moment;
  edited_at: Moment | null;
  version: Generated<number>;
  /** The newest message that the writer's page showed; null where unknown. */
  newest_seen_id: Generated<number | null>;
}

interface StagedUploadTable {
  id: Generated<number>;
  owner_id: number;
  form_key: string;
  field: string;
  kind: string;
  stored_file_id: number;
  created_at: Moment;
  /** For an image staged for its form. */
  radiograph_type: Generated<number | null>;
}

interface PartialUploadPartTable {
  upload_id: string;
  start_byte: number;
  size_bytes: number;
  storage_key: string;
  sha256: string;
  created_at: Moment;
}

interface PartialUploadTable {
  /** Random, 32 hexadecimal digits: end of its address, and its key in the store once complete. */
  id: string;
  owner_id: number;
  /** 0 while its form is unsaved. */
  referral_id: number;
  /** The form it was begun in, until that is saved. */
  form_key: string | null;
  radiograph_type: number;
  file_name: string;
  size_bytes: number;
  /** From the browser, milliseconds since 1970; with name and size it recognises the same file. */
  last_modified: number;
  /** arriving | kept | refused */
  state: string;
  refusal: string | null;
  referral_file_id: number | null;
  created_at: Moment;
  /** When its referral was sent, or requested to be sent, without it. */
  awaited_at: Moment | null;
  /** Upload of the ZIP that contained it. */
  archive_id: string | null;
  material_line_id: Generated<number | null>;
}

/** A draft that is sent once its uploads have finished. */
interface AwaitedSendingTable {
  referral_id: number;
  requested_by: number;
  requested_at: Moment;
  /** When it is sent without missing files. */
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
  /** email | sms | EBOKS | print for messages; null for changes by a person. */
  log_type: string | null;
  /** Danish description where the status does not say enough. */
  event: string | null;
}

interface OutboxTable {
  id: Generated<number>;
  channel: string;
  kind: string;
  referral_id: number | null;
  user_id: number | null;
  requested_by: Generated<number | null>;
  /** Identity its ciphertexts are bound to; null in older rows. */
  row_key: Generated<string | null>;
  recipient_encrypted: string;
  /** Keyed hash of an SMS's number, by which answers find it. */
  recipient_hash: Generated<string | null>;
  /** JSON by channel: subject, text and html; text; or title and text. */
  content_encrypted: string;
  /** 0 once the text has been removed by retention. */
  has_text: GeneratedAlways<Flag>;
  stored_file_id: Generated<number | null>;
  /** The failed message that it repeats. */
  resends_id: Generated<number | null>;
  /** Operation time stated to the patient, `YYYY-MM-DD HH:MM` in Copenhagen. */
  operation_moment: Generated<string | null>;
  outcome: "queued" | "awaiting" | "sent" | "failed" | "unknown" | "withdrawn";
  /** State number of lists and API: 0 to 10, or 0 to 2 for SMS. */
  code: number;
  detail: Generated<string | null>;
  reason: Generated<string | null>;
  provider_reference: Generated<string | null>;
  attempts: number;
  created_at: Moment;
  /** Queued: not sent before. Awaiting: not polled before. */
  not_before: Moment;
  expires_at: Generated<Moment | null>;
  /** Since when it is due but its check could not be made. */
  waiting_since: Generated<Moment | null>;
  lease_owner: Generated<string | null>;
  lease_until: Generated<Moment | null>;
  /** Set just before the first byte is sent; a row that has it after its lease expired was interrupted. */
  sending_since: Generated<Moment | null>;
  /** Sender address of a mail's latest attempt; null for others and before the first. */
  sender: Generated<string | null>;
  sent_at: Generated<Moment | null>;
  settled_at: Generated<Moment | null>;
  /** The message delivers the referral's files, which cannot be deleted before. */
  needs_files: Generated<Flag>;
  handled_at: Generated<Moment | null>;
  handled_by: Generated<number | null>;
  /** Note of what a person did instead. */
  handled_note: Generated<string | null>;
}

/** The clinic's texts by kind and channel: the newest version counts. */
interface MessageTemplateTable {
  id: Generated<number>;
  kind: string;
  channel: string;
  version: number;
  /** Empty for channels without subject. */
  subject: string;
  body: string;
  created_at: Moment;
  author_id: number | null;
}

interface LetterBatchTable {
  id: Generated<number>;
  created_at: Moment;
  /** Null for the automatic batch. */
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
  /** Equal to the letter's id while the batch is active, so that a letter is in one. */
  live_outbox_id: number | null;
  position: number;
  first_page: number;
  page_count: number;
  /** Why it was left out by 'Markér som udskrevet'. */
  left_out: string | null;
}

/** Events pushed by providers, each once. */
interface DeliveryEventTable {
  id: Generated<number>;
  channel: string;
  event_id: string;
  /** receipt | reply | other */
  kind: string;
  outbox_id: number | null;
  received_at: Moment;
  row_key: Generated<string | null>;
  /** Encrypted JSON of a reply: sender and text. */
  content_encrypted: Generated<string | null>;
  taken_at: Generated<Moment | null>;
}

interface IncomingSmsTable {
  id: Generated<number>;
  delivery_event_id: number;
  received_at: Moment;
  /** Keyed hash of the sender's number. */
  sender_hash: string;
  row_key: Generated<string | null>;
  /** Encrypted JSON: sender and text. */
  content_encrypted: string;
  /** 0 once both have been removed by retention. */
  has_text: GeneratedAlways<Flag>;
  /** The referral of its thread; null while unknown. */
  referral_id: number | null;
  /** cancelled | possibly | none | stop */
  judgement: string;
  /** unplaced | possibly | unread | settled | dismissed */
  state: string;
  /** Whether the answer counts as a cancellation. */
  cancellation_detected: Generated<Flag>;
  /** Whether it names something clinical, so that it is read first. */
  has_alarm: Generated<Flag>;
  settled_by: Generated<number | null>;
  settled_at: Generated<Moment | null>;
}

/** A number that gets no reminders. */
interface SmsStopTable {
  id: Generated<number>;
  number_hash: string;
  row_key: Generated<string | null>;
  number_encrypted: string;
  stopped_at: Moment;
}

interface ParkingBookingTable {
  id: Generated<number>;
  reference_number: string;
  /** In Copenhagen, `YYYY-MM-DD`. */
  booking_day: string;
  /** Keyed hash of day, plate and number; unique. */
  booking_hash: string;
  row_key: string | null;
  /** JSON of day, plate, the typed number, and its E.164 form. */
  content_encrypted: string;
  referral_id: number | null;
  /** Staff member; null for the public page. */
  user_id: number | null;
  created_at: Moment;
}

interface ParkingReceiptTable {
  id: Generated<number>;
  booking_id: number;
  outbox_id: number;
  number_hash: string;
  /** Copenhagen day whose limit it counts for. */
  sent_day: string;
}

interface ParkingDayTable {
  day: string;
  /** Receipts withheld by the daily limit. */
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
  changed: number;
  /** Ids of referrals left out because somebody else had changed them, separated by commas. */
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
  /** A mail about the former status was still unsent. */
  mail_was_waiting: Flag;
}

/** A spell of silence, as it was lived. An open one has a row only if it did not begin on the day after its next date. */
interface SilenceTable {
  referral_id: number;
  /** First silent day, `YYYY-MM-DD`; `until_day` is the first day on which it is no longer silent, null before that. */
  from_day: string;
  until_day: string | null;
}

/** Counts by day (D), third of a month (T) or month (M); the latter two are named by their first day. */
interface StatisticsSumTable {
  measure: string;
  grain: "D" | "T" | "M";
  start: string;
  /** Subdivision of the measure: urgency, status, days, or channel and outcome. */
  bucket: string;
  /** Zero without one. */
  referrer_id: number;
  clinic_id: number;
  treatment_type_id: number;
  n: number;
}

/** Entries that one referral has added to the sums. */
interface StatisticsContributionTable {
  referral_id: number;
  /** The recount it belongs to; older ones do not count. */
  generation: number;
  /** JSON list of entries. */
  entries: string;
}

/**
 * `generation`: the valid recount. `nextReferral`: progress of the running recount; 0 when none runs.
 * `silenceKnownFrom`: the first day with silences, as `YYYYMMDD`; 0 for all days.
 */
interface StatisticsStateTable {
  name: "generation" | "nextReferral" | "silenceKnownFrom";
  value: number;
}

/** Page views by day and role. */
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

interface MergeRunTable {
  id: Generated<number>;
  kind: "user" | "clinic";
  winner_id: number;
  /** `moving` and `undoing` are ended by the job. */
  state: "moving" | "done" | "undoing" | "undone";
  /** JSON of the winner: column → value; for users also `roles`. */
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
  /** JSON list: who had been merged into the loser before and now belongs to the winner. */
  merged_before: string;
}

interface MergeMovedTable {
  run_id: number;
  place: string;
  row_id: number;
  from_id: number;
  /** For a membership: its former role. */
  detail: string | null;
  /** moved | back | left: what an undo made of it. */
  outcome: "moved" | "back" | "left";
}

interface IdempotencyTable {
  user_id: number;
  operation: string;
  form_key: string;
  /** Empty if `answer` has it. */
  location: string;
  /** JSON: address redirected to, and the sealed message; null until the form has been carried out. */
  answer: Generated<string | null>;
  created_at: Moment;
}

/** Keys that encrypted text in this database; `lost_at` when given up. */
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
  /** First characters, for recognising it. */
  key_hint: string;
  /** Separated by commas (access/actor.ts). */
  scopes: string;
  /** Null: all clinics. */
  clinic_id: number | null;
  /** In whose name it writes. */
  user_id: number;
  creator_id: number;
  /** Allowed addresses and ranges, separated by spaces; empty allows any. */
  addresses: string;
  calls_per_minute: number;
  created_at: Moment;
  expires_at: Moment;
  last_used_at: Moment | null;
  revoked_at: Moment | null;
  /** Null if ended by the portal. */
  revoked_by: number | null;
}

interface UpkeepTable {
  /** copy | backup | restoring */
  name: string;
  /** When the copy was made, or until when the running backup's claim is valid. */
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
  access_sample: AccessSampleTable;
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
  silence: SilenceTable;
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
