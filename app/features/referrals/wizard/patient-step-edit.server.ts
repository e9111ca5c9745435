import { type Edit, rowIdIn } from "~/access/edit.server";
import type { Secrets } from "~/access/secrets.server";
import { patientValues, text } from "~/features/referrals/details/form-values.server";
import { eachPrompt, eachText } from "~/features/referrals/model/clinical-facts";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable, isSentBefore, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { idsOf } from "~db/connection.server";

/** Values of step 1 as its controls show them. */
export function patientStepValues(secrets: Secrets, row: ReferralRow) {
  return {
    ...patientValues(secrets, row),
    visitType: row.visitType,
    externalId: text(row.externalId),
    profession: text(row.profession),
    emailConfirm: text(row.email),
    referenceType: String(row.referenceType),
    callType: String(row.callType),
    paymentType: String(row.paymentType),
    insuranceCompany: text(row.insuranceCompany),
    policeClaim: text(row.policeClaim),
    regionNumber: text(row.regionNumber),
    regionAddress: text(row.regionAddress),
    regionInstitution: text(row.regionInstitution),
    regionZip: text(row.regionZip),
    regionCity: text(row.regionCity),
    approvalType: String(row.approvalType),
    ...eachText((name) => text(row[name])),
    ...eachPrompt((name) => text(row[name])),
    isHealthInsurance: row.isHealthInsurance ? "yes" : "no",
    healthInsuranceType: String(row.healthInsuranceType),
  };
}

/** How step 1 of a draft is merged with what others have saved; a new form has nothing to merge with. */
export const patientStepEdit: Edit = {
  groups: [
    ["cpr6", "cpr4", "firstName", "lastName"],
    ["address", "zip", "city"],
    ["email", "emailConfirm"],
    ["paymentType", "insuranceCompany", "policeClaim", "regionNumber"],
    ["regionAddress", "regionInstitution", "regionZip", "regionCity"],
    ["isHealthInsurance", "healthInsuranceType"],
    ["visitType", "externalId"],
  ],
  async read({ db, actor, portal }, field) {
    const referralId = rowIdIn(field("referralId"));
    // A referral that is sent already is not merged; its operation answers the second sending.
    if (referralId === 0 || (await isSentBefore(db, actor, referralId))) return { values: {} };
    const row = await findEditable(db, actor, referralId);
    const journals = (await findFiles(db, row.id)).filter(({ kind }) => kind === "journal");
    return {
      values: {
        ...patientStepValues(portal.secrets, row),
        sendNotification: row.sendNotificationToDentist ? "on" : "",
        keepJournals: idsOf(journals).map(String),
      },
      version: row.version,
    };
  },
};
