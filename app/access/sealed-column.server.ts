import { encryptedColumns, ROW_KEY } from "./encryption-key-store.server";
import { newRowKey, rowContext, type Secrets } from "./secrets.server";

/**
 * An encrypted column. Each write also renews the row's key, which binds the ciphertext to that row. Ciphertexts older
 * than row keys are decrypted without one (docs/decisions/0065).
 */
function sealedColumn<Column extends string>(table: string, column: Column) {
  const { purpose } = encryptedColumns.find((one) => one.table === table && one.column === column)!;
  const contextOf = (rowKey: string | null) => rowContext(table, column, rowKey);
  return {
    /** The columns that each write changes, also where the plain text is the same. */
    columns: [ROW_KEY, column] as readonly string[],
    seal(secrets: Secrets, plain: string): { rowKey: string } & Record<Column, string> {
      const rowKey = newRowKey();
      return { rowKey, [column]: secrets.encrypt(purpose, plain, contextOf(rowKey)) } as {
        rowKey: string;
      } & Record<Column, string>;
    },
    /** Null when the column is empty or its ciphertext cannot be decrypted in this row. */
    open(secrets: Secrets, row: { rowKey: string | null } & Record<Column, string | null>): string | null {
      const sealed: string | null = row[column];
      return sealed === null ? null : secrets.decrypt(purpose, sealed, contextOf(row.rowKey));
    },
  };
}

export const sealedCpr = sealedColumn("referral", "cprEncrypted");
export const sealedAutosave = sealedColumn("autosave", "valuesEncrypted");
export const sealedImport = sealedColumn("appointmentImport", "valuesEncrypted");
export const sealedDirectoryPlan = sealedColumn("directoryPlan", "linesEncrypted");
export const sealedCallUp = sealedColumn("callUp", "contentEncrypted");
export const sealedReply = sealedColumn("deliveryEvent", "contentEncrypted");
export const sealedIncomingSms = sealedColumn("incomingSms", "contentEncrypted");
export const sealedStoppedNumber = sealedColumn("smsStop", "numberEncrypted");
export const sealedAppointmentLetter = sealedColumn("appointmentLetter", "contentEncrypted");
export const sealedParking = sealedColumn("parkingBooking", "contentEncrypted");
export const sealedSecondFactor = sealedColumn("secondFactor", "secretEncrypted");
export const sealedRecoveryCode = sealedColumn("recoveryCode", "codeEncrypted");
export const sealedPatientWord = sealedColumn("appointmentAnswer", "wordEncrypted");
export const sealedMaterialNote = sealedColumn("materialRequest", "noteEncrypted");
export const sealedMaterialWords = sealedColumn("materialLine", "wordsEncrypted");
export const sealedEdiFile = sealedColumn("ediFile", "contentEncrypted");
export const sealedEdiMessage = sealedColumn("ediMessage", "contentEncrypted");
