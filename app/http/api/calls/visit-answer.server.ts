import type { Referral } from "~/features/referrals/details/read-referral.server";

/** A referral in the API's shape; patient fields have two names (docs/decisions/0028). */
export function visitAnswer(referral: Referral) {
  const { patient, referrer, sections } = referral;
  return {
    id: referral.id,
    version: referral.version,
    statusVersion: referral.statusVersion,
    isDraft: referral.isDraft,
    status: referral.status,
    createDate: referral.createdAt,
    modifyDate: referral.modifiedAt,
    ...patientAnswer(patient),
    ...formAnswer(referral),
    doctorId: referrer.id,
    doctorFullName: referrer.name,
    doctorEmail: referrer.email,
    doctorClinic: referrer.clinic,
    clinicId: referrer.clinicId,
    canChangeClinic: referrer.mayChangeClinic,
    externalDoctorId: referrer.externalId,
    ediResponsibleDentist: referral.referral.ediResponsibleDentist,
    sendNotificationToDentist: referrer.hearsOfStatus,
    ...planAnswer(referral),
    terminationEmailSendDate: sections.letters.reduce<string | null>(
      (last, { sentAt }) => (sentAt !== null && (last === null || sentAt > last) ? sentAt : last),
      null,
    ),
    isRadiographUploaded: referral.hasRadiographs,
    isPdfFile: !referral.isDraft,
    haveUnansweredMessage: referral.hasNewMessage,
    surgeonHaveUnreadMessages: referral.surgeonHasUnread,
    isTestVisit: referral.isTest,
    exportedToCsv: referral.isExported,
    radiographExportStatus: referral.exportStatus,
    callUpStatus: sections.callUpStatus,
    missingMaterials:
      referral.material?.lines.map((line) => ({
        kind: line.kind,
        text: line.text,
        answer: line.answer,
        reply: line.reply,
        answerDate: line.answeredAt,
      })) ?? [],
    radiographFiles: referral.images.map((image) => ({
      radiographId: image.id,
      fileName: image.name,
      fileType: image.type,
      uploadDate: image.uploadedAt,
    })),
    terminationLetters: sections.letters.map((letter) => ({
      letterNumber: letter.number,
      sendDate: letter.sentAt,
      diagnosFileName: letter.letterFile,
      rentgenFileName: letter.imagesFile,
      status: letter.delivery?.status ?? null,
    })),
  };
}

function patientAnswer({ age, cpr, hasEboks, profession, ...patient }: Referral["patient"]) {
  const { firstName, lastName, address, zip, city, phone, mobilePhone, email } = patient;
  return {
    patientFirstName: firstName,
    patientLastName: lastName,
    patientAddress: address,
    patientZip: zip,
    patientCity: city,
    patientPhone: phone,
    patientMobilePhone: mobilePhone,
    patientEmail: email,
    patientDoesntHaveEboks: !hasEboks,
    patientAge: age,
    cpr,
    profession,
    ...patient,
  };
}

function formAnswer({ referral: form, ediId, files }: Referral) {
  const { approvalType, ediResponsibleDentist: _dentist, ...same } = form;
  const journals = files.filter(({ kind }) => kind === "journal");
  return {
    ...same,
    externalId: ediId,
    appropriationType: approvalType,
    appropriationFileName: files.find(({ kind }) => kind === "approval")?.name ?? null,
    journalFileNames: journals.map(({ name }) => name),
    journalFiles: journals.map((file) => ({ journalId: file.id, fileName: file.name })),
  };
}

function planAnswer({ plan, sections }: Referral) {
  return {
    operationDate: plan.date,
    operationTimeHours: plan.hour,
    operationTimeMinutes: plan.minute,
    operationDuration: plan.minutes,
    treatmentType: plan.treatmentTypeId,
    surgeonId: plan.surgeonId,
    surgeonFullName: plan.surgeon,
    surgeonComment: plan.comment,
    notNeedTreatmentComment: plan.statusComment,
    price: plan.price,
    sendRadiographToPatient: plan.sendsRadiographs,
    forceRadiographExport: plan.forcesExport,
    visitAppointments: sections.appointments.map((line) => ({
      date: line.date,
      time: line.time,
      treatment: line.treatment,
      externalAppointmentCode: line.externalCode,
      isCancelled: line.isCancelled,
    })),
    appointmentDate: sections.appointments.find((line) => !line.isCancelled)?.date ?? null,
  };
}
