import type { Fact } from "~/ui/lists/summary-list";
import { EditLink } from "../../edit-link";
import type { OpenReferral } from "../../open-referral";
import { InlineFacts, optional } from "../inline-facts";
import { LineSection } from "../line-section";
import { PatientForm } from "./patient-form";

const addressOf = ({ address, zip, city }: OpenReferral["patient"]) =>
  [address, [zip, city].filter(Boolean).join(" ")].filter(Boolean).join(", ");
const eboksOf = ({ hasEboks }: OpenReferral["patient"]) => (hasEboks ? "Tilmeldt" : "Ikke tilmeldt");

const savedFacts = ({ patient }: OpenReferral): Fact[] => [
  { label: "CPR-nummer", value: patient.cpr },
  { label: "Navn", value: patient.name },
  { label: "Adresse", value: addressOf(patient) },
  { label: "Mobil", value: patient.mobilePhone },
  { label: "Telefon", value: patient.phone },
  { label: "E-mail", value: patient.email },
  { label: "e-Boks", value: eboksOf(patient) },
];

export function PatientPart({ referral: open }: { referral: OpenReferral }) {
  const { edit, mayEdit, patient, referral } = open;
  if (edit?.patient) {
    return (
      <LineSection title="Patient" id="patient" isWhole>
        <PatientForm referral={open} values={edit.patient} saved={savedFacts(open)} />
      </LineSection>
    );
  }
  return (
    <LineSection
      title="Patient"
      id="patient"
      tools={mayEdit && <EditLink referralId={open.id} part="patient" label="Ret patientens oplysninger" />}
    >
      <InlineFacts
        facts={[
          { label: "Mobil", value: patient.mobilePhone },
          ...optional("Telefon", patient.phone),
          ...optional("E-mail", patient.email, true),
          ...optional("Adresse", addressOf(patient), true),
        ]}
      />
      <InlineFacts
        facts={[
          { label: "e-Boks", value: eboksOf(patient) },
          { label: "Sygesikring", value: referral.healthInsurance },
          { label: "Betaling", value: referral.payment },
          ...referral.paymentDetails,
          ...optional("Bevilling", referral.approval),
          { label: "Indkaldelse", value: referral.callType },
          ...optional("Stilling", patient.profession),
        ]}
      />
    </LineSection>
  );
}
