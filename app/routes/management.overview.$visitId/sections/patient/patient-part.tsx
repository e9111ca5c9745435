import { type Fact, SummaryList } from "~/ui/lists/summary-list";
import { Section } from "~/ui/layout/page";
import { EditLink } from "../../edit-link";
import type { OpenReferral } from "../../open-referral";
import { PatientForm } from "./patient-form";

/** Who the patient is and how they are reached, to read. */
const patientFacts = ({ patient }: OpenReferral): Fact[] => [
  { label: "CPR-nummer", value: patient.cpr },
  { label: "Navn", value: patient.name },
  { label: "Alder", value: patient.age === null ? "–" : `${patient.age} år` },
  {
    label: "Adresse",
    value: [patient.address, [patient.zip, patient.city].filter(Boolean).join(" ")].filter(Boolean).join(", "),
  },
  { label: "Mobil", value: patient.mobilePhone },
  { label: "Telefon", value: patient.phone },
  { label: "E-mail", value: patient.email },
  { label: "e-Boks", value: patient.hasEboks ? "Tilmeldt" : "Ikke tilmeldt" },
  { label: "Stilling", value: patient.profession },
];

/** The patient; staff correct them here. */
export function PatientPart({ referral }: { referral: OpenReferral }) {
  const { edit, mayEdit } = referral;
  if (edit?.patient) {
    return (
      <Section title="Patient" id="patient">
        <PatientForm referral={referral} values={edit.patient} saved={patientFacts(referral)} />
      </Section>
    );
  }
  return (
    <Section
      title="Patient"
      id="patient"
      tools={mayEdit && <EditLink referralId={referral.id} part="patient" label="Ret patientens oplysninger" />}
    >
      <SummaryList facts={patientFacts(referral)} />
    </Section>
  );
}
