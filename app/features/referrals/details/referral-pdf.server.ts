import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { showCount } from "~/text/numbers";
import { showDay, writeDateTime, toMoment, localDate } from "~/text/dates";
import { type PdfFact, ReferralPdfSheet } from "./referral-pdf-sheet.server";
import { read, type ReadContext, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { sealedCpr } from "~/access/sealed-column.server";
import { findClinic } from "~/features/directory/store.server";
import { findNamedUsers } from "~/features/directory/operations.server";
import { exposureDayOf } from "../images/read-images.server";
import { bySeries, middleOf, nameOfImage } from "../images/series";
import { radiographTypeLabel } from "~/files/file-rules";
import { ageOn } from "~/text/cpr";
import { fullName } from "~/text/names";
import { clinicalLines, describeForm, describePlan, patientLines } from "./describe-referral";
import { formOf, planOf } from "./read-referral.server";
import { URGENT } from "../model/referral";
import { findFiles } from "../store/referral-file-store.server";
import { findReferral } from "../store/referral-store.server";
import { nextDateText } from "../model/missing-texts";
import { knownNextDate, statusLabel } from "../model/status";
import { treatmentTypeName } from "../store/treatment-store.server";
import { readStatusSettings } from "../model/status-settings.server";

/** Content of the PDF. Labels are Danish; moments UTC, ISO or as stored; dates `YYYY-MM-DD`. */
export interface ReferralPdfData {
  nr: number;
  externalId?: string | null;
  status: string;
  referenceType: string;
  urgent: boolean;
  createdAt: string;
  /** For staff: by when something must happen, or since when it has not. */
  nextDate?: string | null;
  patient: {
    name: string;
    cpr: string;
    age: number | null;
    address?: string | null;
    zip?: string | null;
    city?: string | null;
    phone?: string | null;
    mobile?: string | null;
    email?: string | null;
    lines: PdfFact[];
  };
  referrer: {
    name: string;
    email?: string | null;
    externalId?: string | null;
    ediResponsibleDentist?: string | null;
    clinic: { name: string; address?: string | null; zip?: string | null; city?: string | null; phone?: string | null };
  };
  callType?: string | null;
  lines: PdfFact[];
  payment: { label: string; details: { label: string; value: string | null }[] };
  approval?: { label: string; fileName?: string | null } | null;
  healthInsurance?: string | null;
  clinical: { label: string; value: string | null }[];
  journals: string[];
  radiographsSendType?: string | null;
  radiographs: { fileName: string; typeLabel: string; takenOn?: string | null; uploadedAt: string }[];
  plan?: {
    at?: string | null;
    duration?: string | null;
    treatmentType?: string | null;
    surgeon?: string | null;
    comment?: string | null;
    price?: string | null;
  } | null;
}

interface ReferralPdfSender {
  productName: string;
  clinicName: string;
  logoPath?: string | null;
  printedAt?: Date;
}

/** Images listed by name, on two pages: pdfkit lays a thousand lines out in one turn of 0.3 seconds. */
const MAX_IMAGES = 60;

/**
 * The referral as a tagged A4 PDF. The stream is complete when this resolves: nothing is read or asked while it flows.
 * Others get their turn after each text, since one of 4,000 characters can be forty pages.
 */
export async function renderReferralPdf(data: ReferralPdfData, sender: ReferralPdfSender): Promise<Readable> {
  const { patient, referrer, payment, approval, clinical, plan } = data;
  const printedAt = sender.printedAt ?? new Date();
  const title = `Henvisning nr. ${data.nr}`;
  const sheet = new ReferralPdfSheet({
    title,
    author: sender.clinicName,
    creator: sender.productName,
    createdAt: printedAt,
    runningHead: { left: `${title} · ${patient.cpr} · ${patient.name}`, right: sender.clinicName },
    footer: `${title} · Udskrevet ${writeDateTime(toMoment(printedAt))} · Indeholder fortrolige helbredsoplysninger`,
  });

  sheet.letterhead(sender.clinicName, sender.productName, sender.logoPath ?? undefined);
  sheet.title(
    title,
    [{ text: data.referenceType, tone: data.urgent ? "urgent" : "quiet" }],
    [
      `Status: ${data.status}`,
      `Oprettet ${writeDateTime(data.createdAt)}`,
      data.externalId && `EDI-id ${data.externalId}`,
      data.nextDate,
    ]
      .filter(Boolean)
      .join("  ·  "),
  );

  sheet.headline(
    patient.name,
    [patient.cpr, patient.age === null ? "" : `${patient.age} år`].filter(Boolean).join("  ·  "),
  );
  sheet.facts([
    { label: "Adresse", value: lines(patient.address, place(patient)) },
    {
      label: "Telefon",
      value: lines(patient.mobile && `Mobil ${patient.mobile}`, patient.phone && `Fastnet ${patient.phone}`),
    },
    { label: "E-mail", value: patient.email },
    ...patient.lines,
    { label: "Sygesikring", value: data.healthInsurance },
  ]);

  sheet.section("Henviser");
  sheet.facts([
    {
      label: "Navn",
      value: lines(
        referrer.name,
        referrer.externalId && `Henviser id ${referrer.externalId}`,
        referrer.ediResponsibleDentist && `EDI-ansvarlig ${referrer.ediResponsibleDentist}`,
      ),
    },
    { label: "Klinik", value: lines(referrer.clinic.name, referrer.clinic.address, place(referrer.clinic)) },
    { label: "Kontakt", value: lines(referrer.clinic.phone, referrer.email) },
  ]);

  sheet.section("Henvisning");
  for (const { label, value } of clinical) {
    sheet.text(label, value);
    await setImmediate();
  }
  sheet.facts([
    { label: "Indkaldelse", value: data.callType },
    ...data.lines,
    { label: "Betaling", value: payment.label },
    ...payment.details,
    { label: "Bevilling", value: approval && lines(approval.label, approval.fileName) },
    { label: "Journal", value: lines(...data.journals) },
    { label: "Røntgenbilleder", value: data.radiographs.length === 0 ? data.radiographsSendType : null },
  ]);

  if (plan) {
    const facts: PdfFact[] = [
      { label: "Dato og tid", value: lines(plan.at, plan.duration) },
      { label: "Behandlingstype", value: plan.treatmentType },
      { label: "Kirurg", value: plan.surgeon },
      { label: "Pris", value: plan.price },
      { label: "Kommentar", value: plan.comment, span: 2 },
    ];
    if (facts.some(({ value }) => value)) {
      sheet.section("Plan");
      sheet.facts(facts);
    }
  }

  if (data.radiographs.length > 0) {
    const others = data.radiographs.length - MAX_IMAGES;
    sheet.section("Røntgenbilleder", 130);
    sheet.table(
      ["Fil", "Type", "Optaget", "Uploadet"],
      data.radiographs
        .slice(0, MAX_IMAGES)
        .map((file) => [
          file.fileName,
          file.typeLabel,
          file.takenOn ? showDay(file.takenOn) : "ukendt",
          writeDateTime(file.uploadedAt),
        ])
        .concat(others > 0 ? [[`og ${showCount(others)} andre billeder`, "", "", ""]] : []),
      [5, 3, 2, 3],
    );
  }
  return (await sheet.finish()) as unknown as Readable;
}

const lines = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join("\n");
const place = ({ zip, city }: { zip?: string | null; city?: string | null }) => [zip, city].filter(Boolean).join(" ");

const oneReferral = z.object({ referralId: wholeNumber.positive() });

/** The referral as a PDF (GET /Pdf/Visit/{id}), generated at each request. Throws `notInScope`. */
export const downloadReferralPdf = read({
  name: "downloadReferralPdf",
  permission: "referral.read",
  input: oneReferral,
  run: pdfOf,
});

/** GET /Pdf/Visit/{id} with `?regenerate`: as `downloadReferralPdf`, for clients that assume a stored PDF. */
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
    findNamedUsers(db, [row.referrerId, row.surgeonId]),
    row.clinicId === null ? null : findClinic(db, row.clinicId),
    treatmentTypeName(db, row.treatmentTypeId),
    findFiles(db, row.id),
    readStatusSettings(db),
  ]);
  const referrer = users.get(row.referrerId);
  auditRead([row.id]);
  const form = describeForm(formOf(row), {
    hasApproval: files.some((file) => file.kind === "approval"),
    hasRadiographs: files.some((file) => file.kind === "radiograph"),
  });
  const data = {
    nr: row.id,
    externalId: row.externalId,
    status: statusLabel(row.status, settings, actor),
    referenceType: form.referenceType,
    urgent: row.referenceType === URGENT,
    createdAt: row.createDate,
    nextDate: can(actor, "referral.readInternal") ? nextDateText(knownNextDate(row, actor), localDate(now)) : null,
    patient: {
      name: fullName(row),
      cpr,
      age: ageOn(row.birthDate, localDate(now)),
      address: row.address,
      zip: row.zip,
      city: row.city,
      phone: row.phone,
      mobile: row.mobilePhone,
      email: row.email,
      lines: patientLines(row),
    },
    referrer: {
      name: referrer?.name ?? "–",
      email: referrer?.email ?? null,
      externalId: row.externalDoctorId,
      ediResponsibleDentist: row.ediResponsibleDentist,
      clinic: clinic ?? { name: "–" },
    },
    callType: form.callType,
    lines: form.referralLines,
    payment: { label: form.payment, details: form.paymentDetails },
    approval:
      form.approval === null
        ? null
        : { label: form.approval, fileName: files.find((file) => file.kind === "approval")?.fileName ?? null },
    healthInsurance: form.healthInsurance,
    clinical: clinicalLines(row),
    journals: files.filter((file) => file.kind === "journal").map((file) => file.fileName),
    plan: describePlan(planOf(row, { treatmentType, surgeon: users.get(row.surgeonId)?.name ?? null }, false)),
    radiographsSendType: form.radiographs,
    radiographs: bySeries(files.filter((file) => file.kind === "radiograph")).map((group) => ({
      fileName: nameOfImage({ fileName: group[0].fileName, slices: group.length }),
      typeLabel: radiographTypeLabel(group[0].radiographType),
      takenOn: exposureDayOf(portal.secrets, middleOf(group)),
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
