import { FactList } from "~/ui/facts";
import { Section } from "~/ui/page";
import type { OpenReferral } from "./open-referral";

export function PatientPart({ referral: { patient } }: { referral: OpenReferral }) {
  return (
    <Section title="Patient" id="patient">
      <FactList
        facts={[
          { label: "CPR-nummer", value: patient.cpr },
          { label: "Navn", value: patient.name },
          { label: "Alder", value: patient.age === null ? "–" : `${patient.age} år` },
          { label: "Adresse", value: [patient.address, [patient.zip, patient.city].filter(Boolean).join(" ")].filter(Boolean).join(", ") },
          { label: "Mobil", value: patient.mobilePhone },
          { label: "Telefon", value: patient.phone },
          { label: "E-mail", value: patient.email },
          { label: "e-Boks", value: patient.hasEboks ? "Tilmeldt" : "Ikke tilmeldt" },
          { label: "Stilling", value: patient.profession },
        ]}
      />
    </Section>
  );
}
