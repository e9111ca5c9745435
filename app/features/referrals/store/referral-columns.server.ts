import type { Person } from "~/access/actor";
import { DRAFT } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { birthDate } from "~/text/cpr";
import { toMoment } from "~/text/dates";
import { fullName, sortKey } from "~/text/names";
import { eachPrompt } from "~/features/referrals/model/clinical-facts";
import { clearByPayment } from "~/features/referrals/model/referral";
import type { PatientForm } from "~/features/referrals/wizard/patient-form.schema.server";
import { emailKey } from "~/text/email.server";

export function nameColumns({ firstName, lastName }: { firstName: string; lastName: string }) {
  const name = { first_name: firstName, last_name: lastName };
  return { ...name, name_sort: sortKey(fullName(name)) };
}

/** Columns of a CPR number: encrypted, hashed whole and by date, and the birth date. */
export function cprColumns(secrets: Secrets, cpr: string) {
  return {
    ...sealedCpr.seal(secrets, cpr),
    cpr_hash: secrets.lookup("cpr", cpr),
    cpr6: cpr.slice(0, 6),
    birth_date: birthDate(cpr),
  };
}

export function patientColumns(secrets: Secrets, form: PatientForm, patientId: number) {
  const { cpr } = form;
  const payment = clearByPayment(form);
  return {
    ...nameColumns(form),
    patient_id: patientId,
    ...cprColumns(secrets, cpr),
    profession: form.profession,
    address: form.address,
    zip: form.zip,
    city: form.city,
    phone: form.phone,
    mobile_phone: form.mobilePhone,
    email: form.email,
    email_norm: form.email === null ? null : emailKey(form.email),
    reference_type: form.referenceType,
    call_type: form.callType,
    visit_type: form.visitType,
    external_id: form.visitType === "edi" ? form.externalId : null,
    payment_type: payment.paymentType,
    insurance_company: payment.insuranceCompany,
    police_claim: payment.policeClaim,
    region_number: payment.regionNumber,
    region_address: payment.regionAddress,
    region_institution: payment.regionInstitution,
    region_zip: payment.regionZip,
    region_city: payment.regionCity,
    approval_type: payment.approvalType,
    diagnose: form.diagnose,
    previous_treatment: form.previousTreatment,
    desired_treatment: form.desiredTreatment,
    comment: form.comment,
    ...(form.withPrompts ? eachPrompt((name) => form[name]) : {}),
    is_health_insurance: payment.isHealthInsurance ? 1 : 0,
    health_insurance_type: payment.healthInsuranceType,
  };
}

export function newDraft(
  columns: ReturnType<typeof patientColumns>,
  person: Pick<Person, "id" | "primaryClinicId">,
  now: Date,
) {
  const at = toMoment(now);
  return {
    ...columns,
    sent_at: null,
    create_date: at,
    modified_at: at,
    creator_id: person.id,
    modifier_id: person.id,
    status: DRAFT,
    clinic_id: person.primaryClinicId,
    referrer_id: null,
    external_doctor_id: null,
    edi_responsible_dentist: null,
    send_notification_to_dentist: 0,
    surgeon_id: null,
    patient_without_eboks: 0,
    radiographs_send_type: 0,
    available_step: 2,
    operation_date: null,
    operation_hour: null,
    operation_minute: null,
    operation_duration: null,
    treatment_type_id: null,
    surgeon_comment: null,
    not_need_treatment_comment: null,
    price: null,
    is_test: 0,
    exported_to_csv: 0,
    has_radiographs: 0,
    has_unanswered_message: 0,
    surgeon_has_unread_messages: 0,
    radiograph_export_status: null,
    send_radiograph_to_patient: 0,
    force_radiograph_export: 0,
    call_up_status: null,
    status_since: at,
    deleted_at: null,
  };
}
