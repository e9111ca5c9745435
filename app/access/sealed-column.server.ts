import { encryptedColumns } from "./encryption-key-store.server";
import { newRowKey, rowContext, type Secrets } from "./secrets.server";

/**
 * An encrypted column. Each write also renews the row's key, which binds the ciphertext to that row. Ciphertexts older
 * than row keys are decrypted without one (docs/decisions/0065).
 */
function sealedColumn<Column extends string>(table: string, column: Column) {
  const { purpose } = encryptedColumns.find((one) => one.table === table && one.column === column)!;
  const contextOf = (rowKey: string | null) => rowContext(table, column, rowKey);
  return {
    seal(secrets: Secrets, plain: string): { row_key: string } & Record<Column, string> {
      const rowKey = newRowKey();
      return { row_key: rowKey, [column]: secrets.encrypt(purpose, plain, contextOf(rowKey)) } as {
        row_key: string;
      } & Record<Column, string>;
    },
    /** Null when the column is empty or its ciphertext cannot be decrypted in this row. */
    open(secrets: Secrets, row: { row_key: string | null } & Record<Column, string | null>): string | null {
      const sealed: string | null = row[column];
      return sealed === null ? null : secrets.decrypt(purpose, sealed, contextOf(row.row_key));
    },
  };
}

export const sealedCpr = sealedColumn("referral", "cpr_encrypted");
export const sealedAutosave = sealedColumn("autosave", "values_encrypted");
export const sealedImport = sealedColumn("appointment_import", "values_encrypted");
export const sealedDirectoryPlan = sealedColumn("directory_plan", "lines_encrypted");
export const sealedCallUp = sealedColumn("call_up", "content_encrypted");
export const sealedReply = sealedColumn("delivery_event", "content_encrypted");
export const sealedIncomingSms = sealedColumn("incoming_sms", "content_encrypted");
export const sealedStoppedNumber = sealedColumn("sms_stop", "number_encrypted");
export const sealedAppointmentLetter = sealedColumn("appointment_letter", "content_encrypted");
export const sealedParking = sealedColumn("parking_booking", "content_encrypted");
export const sealedSecondFactor = sealedColumn("second_factor", "secret_encrypted");
export const sealedRecoveryCode = sealedColumn("recovery_code", "code_encrypted");
export const sealedPatientWord = sealedColumn("appointment_answer", "word_encrypted");
export const sealedMaterialNote = sealedColumn("material_request", "note_encrypted");
export const sealedMaterialWords = sealedColumn("material_line", "words_encrypted");
export const sealedEdiFile = sealedColumn("edi_file", "content_encrypted");
export const sealedEdiMessage = sealedColumn("edi_message", "content_encrypted");
