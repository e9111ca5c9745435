import { z } from "zod";
import { read, type ReadContext } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { sealedCpr } from "~/access/sealed-column.server";
import { findClinic } from "~/features/directory/store.server";
import { findNamedUsers } from "~/features/directory/find-referrers.server";
import { bySeries, middleOf, nameOfImage } from "~/features/referrals/images/series";
import { radiographTypeLabel } from "~/files/file-rules";
import { ageOn } from "~/text/cpr";
import { localDate } from "~/text/dates";
import { fullName } from "~/text/names";
import { describeForm, describePlan } from "./describe-referral";
import { formOf, planOf } from "./read-referral.server";
import { clinicalLines, eachPrompt, eachText } from "~/features/referrals/model/clinical-facts";
import { URGENT } from "~/features/referrals/model/referral";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { renderReferralPdf } from "./referral-pdf.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { nextDateText } from "~/features/referrals/model/missing-texts";
import { knownNextDate, statusLabel } from "~/features/referrals/model/status";
import { treatmentTypeName } from "~/features/referrals/store/treatment-store.server";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";

const oneReferral = z.object({ referralId: z.coerce.number().int().positive() });

/** The referral as a PDF (GET /Pdf/Visit/{id}), generated at each request. Throws `notInScope`. */
export const downloadReferralPdf = read({
  name: "downloadReferralPdf",
  permission: "referral.read",
  input: oneReferral,
  run: pdfOf,
});

/** `?regenerate`: the same, for clients that assume a stored PDF. */
export const regenerateReferralPdf = read({
  name: "regenerateReferralPdf",
  permission: "referral.regeneratePdf",
  input: oneReferral,
  run: pdfOf,
});

async function pdfOf({ db, actor, portal, now, auditRead }: ReadContext, { referralId }: z.output<typeof oneReferral>) {
  const row = await findReferral(db, actor, referralId);
  const cpr = sealedCpr.open(portal.secrets, row);
  if (cpr === null) throw new Refusal("fileMissing");
  const [users, clinic, treatmentType, files, settings] = await Promise.all([
    findNamedUsers(db, [row.referrer_id, row.surgeon_id]),
    row.clinic_id === null ? null : findClinic(db, row.clinic_id),
    treatmentTypeName(db, row.treatment_type_id),
    findFiles(db, row.id),
    readStatusSettings(db),
  ]);
  const referrer = users.get(row.referrer_id);
  auditRead([row.id]);
  const form = describeForm(formOf(row), {
    hasApproval: files.some((file) => file.kind === "approval"),
    hasRadiographs: files.some((file) => file.kind === "radiograph"),
  });
  const data = {
    nr: row.id,
    externalId: row.external_id,
    status: statusLabel(row.status, settings, actor),
    referenceType: form.referenceType,
    urgent: row.reference_type === URGENT,
    createdAt: row.create_date,
    nextDate: can(actor, "referral.readInternal") ? nextDateText(knownNextDate(row, actor), localDate(now)) : null,
    patient: {
      name: fullName(row),
      cpr,
      age: ageOn(row.birth_date, localDate(now)),
      address: row.address,
      zip: row.zip,
      city: row.city,
      phone: row.phone,
      mobile: row.mobile_phone,
      email: row.email,
      profession: row.profession,
    },
    referrer: {
      name: referrer?.name ?? "–",
      email: referrer?.email ?? null,
      externalId: row.external_doctor_id,
      ediResponsibleDentist: row.edi_responsible_dentist,
      clinic: clinic ?? { name: "–" },
    },
    callType: form.callType,
    payment: { label: form.payment, details: form.paymentDetails },
    approval:
      form.approval === null
        ? null
        : { label: form.approval, fileName: files.find((file) => file.kind === "approval")?.fileName ?? null },
    healthInsurance: form.healthInsurance,
    clinical: clinicalLines({ ...eachText((_, column) => row[column]), ...eachPrompt((name) => row[name]) }),
    journals: files.filter((file) => file.kind === "journal").map((file) => file.fileName),
    plan: describePlan(planOf(row, { treatmentType, surgeon: users.get(row.surgeon_id)?.name ?? null }, false)),
    radiographsSendType: form.radiographs,
    radiographs: bySeries(files.filter((file) => file.kind === "radiograph")).map((group) => ({
      fileName: nameOfImage({ fileName: group[0].fileName, slices: group.length }),
      typeLabel: radiographTypeLabel(group[0].radiographType),
      takenOn: middleOf(group).takenOn,
      uploadedAt: group[0].uploadedAt,
    })),
  };
  const { productName, clinicName, clinicLogo } = portal.config;
  return {
    fileName: `Henvisning_${row.id}.pdf`,
    mime: "application/pdf",
    disposition: "inline" as const,
    open: () => renderReferralPdf(data, { productName, clinicName, logoPath: clinicLogo, printedAt: now }),
  };
}
