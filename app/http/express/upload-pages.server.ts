import type { Operation } from "~/access/operation.server";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import { sendBill } from "~/features/billing/send-bill.server";
import { uploadDirectory } from "~/features/directory-import/read-import.server";
import { uploadLetter, uploadLetterImages } from "~/features/discharge-letters/upload-letter.server";
import { saveLetterLogo } from "~/features/message-settings/operations.server";
import { editMessage } from "~/features/messages/edit-message.server";
import { writeMessage } from "~/features/messages/write-message.server";
import { addRadiographs } from "~/features/referrals/images/add-radiographs.server";
import { addMaterialDocuments } from "~/features/referrals/material/answer-material.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { paths } from "~/paths";

/** Operations whose files a page accepts. Other pages refuse forms with files. */
const uploadRoutes: Record<string, Operation<any, unknown>[]> = {
  [paths.wizard]: [savePatient, addRadiographs],
  [paths.sms]: [uploadAppointments],
  [paths.settings]: [uploadAppointments],
  [paths.letterSettings]: [saveLetterLogo],
  [paths.directoryImport]: [uploadDirectory],
  [paths.dischargeLetters]: [uploadLetter, uploadLetterImages],
};
const referralRoutes: [RegExp, Operation<any, unknown>[]][] = [
  [
    /^\/management\/overview\/\d+$/,
    [writeMessage, editMessage, sendBill, uploadLetter, uploadLetterImages, addMaterialDocuments],
  ],
  [/^\/management\/overview\/\d+\/roentgenbilleder$/, [addRadiographs]],
];

/** Operations whose files a page accepts; undefined for none. */
export function uploadOperationsAt(address: string) {
  const page = address.replace(/\/$/, "");
  return uploadRoutes[page] ?? referralRoutes.find(([ofPage]) => ofPage.test(page))?.[1];
}
