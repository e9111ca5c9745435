import type { Migration } from "kysely";
import * as people from "./2026_11_21_0900_people";
import * as access from "./2026_11_21_0910_access";
import * as referrals from "./2026_11_21_0920_referrals";
import * as files from "./2026_11_21_0930_files";
import * as outbox from "./2026_11_21_0940_outbox";
import * as partialUploads from "./2026_11_21_1000_partial_uploads";
import * as overviewLists from "./2026_11_21_1020_overview_lists";
import * as massChanges from "./2026_11_21_1021_mass_changes";
import * as messagesWithFiles from "./2026_11_21_1022_messages_with_files";
import * as messages from "./2026_11_21_1040_messages";
import * as typedInput from "./2026_11_21_1060_typed_input";
import * as caseSections from "./2026_11_21_1070_case_sections";
import * as appointmentImport from "./2026_11_21_1072_appointment_import";
import * as overviewIndexes from "./2026_11_21_1095_overview_indexes";
import * as encryptionKeys from "./2026_11_22_0100_encryption_keys";
import * as typedInputNumber from "./2026_11_22_0300_typed_input_number";
import * as typedInputByNumber from "./2026_11_22_0301_typed_input_by_number";
import * as typedInputByForm from "./2026_11_22_0302_typed_input_by_form";
import * as dicomFacts from "./2026_11_22_0500_dicom_facts";
import * as storedFileByKey from "./2026_11_22_0501_stored_file_by_key";
import * as outboxRowKey from "./2026_11_22_0502_outbox_row_key";
import * as foldedLetters from "./2026_11_22_0700_folded_letters";
import * as auditWhoAndWhom from "./2026_11_22_0720_audit_who_and_whom";
import * as knownAddresses from "./2026_11_22_0730_known_addresses";
import * as referralRowKey from "./2026_11_22_0800_referral_row_key";
import * as typedInputRowKey from "./2026_11_22_0801_typed_input_row_key";
import * as appointmentImportRowKey from "./2026_11_22_0802_appointment_import_row_key";
import * as callUpRowKey from "./2026_11_22_0803_call_up_row_key";
import * as appointmentLetterRowKey from "./2026_11_22_0804_appointment_letter_row_key";
import * as neutralOutbox from "./2026_11_22_0930_neutral_outbox";
import * as deliveryEvents from "./2026_11_22_0931_delivery_events";
import * as jobRuns from "./2026_11_22_0932_job_runs";
import * as lettersInTheOutbox from "./2026_11_22_0933_letters_in_the_outbox";
import * as autosave from "./2026_11_22_0960_autosave";
import * as stagedUpload from "./2026_11_22_0961_staged_upload";
import * as callUpType from "./2026_11_22_0962_call_up_type";
import * as callUpSummary from "./2026_11_22_1000_call_up_summary";
import * as messageTemplates from "./2026_11_22_1001_message_templates";
import * as letterBatches from "./2026_11_22_1002_letter_batches";
import * as handledFailures from "./2026_11_22_1003_handled_failures";
import * as outboxWaiting from "./2026_11_22_1004_outbox_waiting";
import * as callUpByLog from "./2026_11_22_1010_call_up_by_log";
import * as patientLinks from "./2026_11_22_1100_patient_links";
import * as patientMessages from "./2026_11_22_1101_patient_messages";
import * as dischargeLetters from "./2026_11_22_1110_discharge_letters";
import * as smsThreads from "./2026_11_22_1120_sms_threads";
import * as appointmentAnswers from "./2026_11_22_1130_appointment_answers";
import * as freedTimes from "./2026_11_22_1131_freed_times";
import * as reminders from "./2026_11_22_1132_reminders";
import * as directoryLists from "./2026_11_22_1200_directory_lists";
import * as statistics from "./2026_11_22_1300_statistics";
import * as parking from "./2026_11_22_1310_parking";
import * as treatmentTypeVersion from "./2026_11_22_1320_treatment_type_version";
import * as givenPasswords from "./2026_11_22_1340_given_passwords";
import * as keptHowLong from "./2026_11_22_1390_kept_how_long";
import * as accessLog from "./2026_11_22_1400_access_log";
import * as merging from "./2026_11_22_1500_merging";
import * as portalTextAuthor from "./2026_11_22_1600_portal_text_author";
import * as removedTexts from "./2026_11_22_1700_removed_texts";
import * as sumsByThirds from "./2026_11_23_0620_sums_by_thirds";
import * as smsListById from "./2026_11_23_0650_sms_list_by_id";
import * as outboxSender from "./2026_11_23_0700_outbox_sender";
import * as edi from "./2026_11_23_0900_edi";
import * as lettersWithoutPdf from "./2026_11_23_1102_letters_without_pdf";
import * as secondFactor from "./2026_11_23_1110_second_factor";
import * as sessionDevice from "./2026_11_23_1111_session_device";
import * as archiveExports from "./2026_11_23_1200_archive_exports";
import * as cacheChange from "./2026_11_23_1300_cache_change";
import * as apiKeys from "./2026_11_23_1330_api_keys";
import * as uploadParts from "./2026_11_23_1331_upload_parts";
import * as lettersByEdi from "./2026_11_23_1350_letters_by_edi";
import * as upkeep from "./2026_11_23_1400_upkeep";
import * as triageOrder from "./2026_11_23_1630_triage_order";
import * as clinicByNumber from "./2026_11_23_1631_clinic_by_number";
import * as awaitedFiles from "./2026_11_23_1700_awaited_files";
import * as shortcuts from "./2026_11_23_1710_shortcuts";
import * as unpackedFiles from "./2026_11_23_2010_unpacked_files";
import * as materialRequests from "./2026_11_23_2040_material_requests";
import * as ediNumbers from "./2026_11_26_1810_edi_numbers";
import * as dicomInstances from "./2026_11_26_1800_dicom_instances";
import * as dicomSeries from "./2026_11_23_2100_dicom_series";
import * as surgeonsQueue from "./2026_11_23_2120_surgeons_queue";
import * as hold from "./2026_11_23_2140_hold";
import * as correctedExports from "./2026_11_25_0240_corrected_exports";
import * as sumsByGroup from "./2026_11_25_0710_sums_by_group";
import * as failureReason from "./2026_11_25_1400_failure_reason";
import * as ordersWithFilters from "./2026_11_25_1430_orders_with_filters";
import * as statusVersion from "./2026_11_26_1400_status_version";
import * as formAnswers from "./2026_11_26_1500_form_answers";
import * as fileOwner from "./2026_11_26_1610_file_owner";
import * as messageTime from "./2026_11_26_1600_message_time";
import * as importPlans from "./2026_11_26_1700_import_plans";
import * as patientsInUse from "./2026_11_26_1830_patients_in_use";
import * as sealedFlash from "./2026_11_26_2140_sealed_flash";
import * as unseenSigns from "./2026_11_26_1910_unseen_signs";
import * as passwordRequests from "./2026_11_26_2000_password_requests";
import * as filesByDay from "./2026_11_26_2010_files_by_day";

/** Listed by hand, in order: a bundle cannot scan a folder. */
export const migrations: Record<string, Migration> = {
  "2026_11_21_0900_people": people,
  "2026_11_21_0910_access": access,
  "2026_11_21_0920_referrals": referrals,
  "2026_11_21_0930_files": files,
  "2026_11_21_0940_outbox": outbox,
  "2026_11_21_1000_partial_uploads": partialUploads,
  "2026_11_21_1020_overview_lists": overviewLists,
  "2026_11_21_1021_mass_changes": massChanges,
  "2026_11_21_1022_messages_with_files": messagesWithFiles,
  "2026_11_21_1040_messages": messages,
  "2026_11_21_1060_typed_input": typedInput,
  "2026_11_21_1070_case_sections": caseSections,
  "2026_11_21_1072_appointment_import": appointmentImport,
  "2026_11_21_1095_overview_indexes": overviewIndexes,
  "2026_11_22_0100_encryption_keys": encryptionKeys,
  "2026_11_22_0300_typed_input_number": typedInputNumber,
  "2026_11_22_0301_typed_input_by_number": typedInputByNumber,
  "2026_11_22_0302_typed_input_by_form": typedInputByForm,
  "2026_11_22_0500_dicom_facts": dicomFacts,
  "2026_11_22_0501_stored_file_by_key": storedFileByKey,
  "2026_11_22_0502_outbox_row_key": outboxRowKey,
  "2026_11_22_0700_folded_letters": foldedLetters,
  "2026_11_22_0720_audit_who_and_whom": auditWhoAndWhom,
  "2026_11_22_0730_known_addresses": knownAddresses,
  "2026_11_22_0800_referral_row_key": referralRowKey,
  "2026_11_22_0801_typed_input_row_key": typedInputRowKey,
  "2026_11_22_0802_appointment_import_row_key": appointmentImportRowKey,
  "2026_11_22_0803_call_up_row_key": callUpRowKey,
  "2026_11_22_0804_appointment_letter_row_key": appointmentLetterRowKey,
  "2026_11_22_0930_neutral_outbox": neutralOutbox,
  "2026_11_22_0931_delivery_events": deliveryEvents,
  "2026_11_22_0932_job_runs": jobRuns,
  "2026_11_22_0933_letters_in_the_outbox": lettersInTheOutbox,
  "2026_11_22_0960_autosave": autosave,
  "2026_11_22_0961_staged_upload": stagedUpload,
  "2026_11_22_0962_call_up_type": callUpType,
  "2026_11_22_1000_call_up_summary": callUpSummary,
  "2026_11_22_1001_message_templates": messageTemplates,
  "2026_11_22_1002_letter_batches": letterBatches,
  "2026_11_22_1003_handled_failures": handledFailures,
  "2026_11_22_1004_outbox_waiting": outboxWaiting,
  "2026_11_22_1010_call_up_by_log": callUpByLog,
  "2026_11_22_1100_patient_links": patientLinks,
  "2026_11_22_1101_patient_messages": patientMessages,
  "2026_11_22_1110_discharge_letters": dischargeLetters,
  "2026_11_22_1120_sms_threads": smsThreads,
  "2026_11_22_1130_appointment_answers": appointmentAnswers,
  "2026_11_22_1131_freed_times": freedTimes,
  "2026_11_22_1132_reminders": reminders,
  "2026_11_22_1200_directory_lists": directoryLists,
  "2026_11_22_1300_statistics": statistics,
  "2026_11_22_1310_parking": parking,
  "2026_11_22_1320_treatment_type_version": treatmentTypeVersion,
  "2026_11_22_1340_given_passwords": givenPasswords,
  "2026_11_22_1390_kept_how_long": keptHowLong,
  "2026_11_22_1400_access_log": accessLog,
  "2026_11_22_1500_merging": merging,
  "2026_11_22_1600_portal_text_author": portalTextAuthor,
  "2026_11_22_1700_removed_texts": removedTexts,
  "2026_11_23_0620_sums_by_thirds": sumsByThirds,
  "2026_11_23_0650_sms_list_by_id": smsListById,
  "2026_11_23_0700_outbox_sender": outboxSender,
  "2026_11_23_0900_edi": edi,
  "2026_11_23_1102_letters_without_pdf": lettersWithoutPdf,
  "2026_11_23_1110_second_factor": secondFactor,
  "2026_11_23_1111_session_device": sessionDevice,
  "2026_11_23_1200_archive_exports": archiveExports,
  "2026_11_23_1300_cache_change": cacheChange,
  "2026_11_23_1330_api_keys": apiKeys,
  "2026_11_23_1331_upload_parts": uploadParts,
  "2026_11_23_1350_letters_by_edi": lettersByEdi,
  "2026_11_23_1400_upkeep": upkeep,
  "2026_11_23_1630_triage_order": triageOrder,
  "2026_11_23_1631_clinic_by_number": clinicByNumber,
  "2026_11_23_1700_awaited_files": awaitedFiles,
  "2026_11_23_1710_shortcuts": shortcuts,
  "2026_11_23_2010_unpacked_files": unpackedFiles,
  "2026_11_23_2040_material_requests": materialRequests,
  "2026_11_23_2100_dicom_series": dicomSeries,
  "2026_11_23_2120_surgeons_queue": surgeonsQueue,
  "2026_11_23_2140_hold": hold,
  "2026_11_25_0240_corrected_exports": correctedExports,
  "2026_11_25_0710_sums_by_group": sumsByGroup,
  "2026_11_25_1400_failure_reason": failureReason,
  "2026_11_25_1430_orders_with_filters": ordersWithFilters,
  "2026_11_26_1400_status_version": statusVersion,
  "2026_11_26_1500_form_answers": formAnswers,
  "2026_11_26_1600_message_time": messageTime,
  "2026_11_26_1610_file_owner": fileOwner,
  "2026_11_26_1700_import_plans": importPlans,
  "2026_11_26_1800_dicom_instances": dicomInstances,
  "2026_11_26_1810_edi_numbers": ediNumbers,
  "2026_11_26_1830_patients_in_use": patientsInUse,
  "2026_11_26_1910_unseen_signs": unseenSigns,
  "2026_11_26_2000_password_requests": passwordRequests,
  "2026_11_26_2010_files_by_day": filesByDay,
  "2026_11_26_2140_sealed_flash": sealedFlash,
};
