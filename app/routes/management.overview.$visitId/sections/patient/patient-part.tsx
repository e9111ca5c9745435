import { patientLabels } from "~/features/referrals/model/patient-labels";
import { useOpenedWith } from "~/http/forms/use-action-result";
import { useServerForm } from "~/http/forms/use-server-form";
import { Checkbox } from "~/ui/forms/choices";
import { CprField } from "~/ui/forms/cpr-field";
import { TextField } from "~/ui/forms/text-field";
import { FieldRow } from "~/ui/layout/page";
import type { Fact } from "~/ui/lists/summary-list";
import { EditForm, EditLink } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";
import { InlineFacts, LineSection, optional } from "../line-section";

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["patient"]>;

function PatientForm({
  referral,
  values: current,
  saved,
}: {
  referral: OpenReferral;
  values: Values;
  saved: readonly Fact[];
}) {
  const values = useOpenedWith("editPatient", current);
  const form = useServerForm<Values>("editPatient", {
    defaultValue: values,
    firstInput: { cpr6: "editPatient-cpr6-6" },
    labels: patientLabels,
  });
  const { fields } = form;
  return (
    <EditForm referral={referral} part="patient" form={form} saved={saved}>
      <CprField fields={{ six: fields.cpr6, four: fields.cpr4 }} />
      <FieldRow>
        <TextField field={fields.firstName} label="Fornavn" autoComplete="off" />
        <TextField field={fields.lastName} label="Efternavn" autoComplete="off" />
      </FieldRow>
      <TextField field={fields.address} label="Adresse" autoComplete="off" />
      <FieldRow narrow>
        <TextField field={fields.zip} label="Postnr." inputMode="numeric" autoComplete="off" />
        <TextField field={fields.city} label="By" autoComplete="off" />
      </FieldRow>
      <FieldRow>
        <TextField field={fields.mobilePhone} label="Mobil" type="tel" autoComplete="off" />
        <TextField field={fields.phone} label="Telefon" type="tel" autoComplete="off" />
      </FieldRow>
      <TextField field={fields.email} label="E-mail" type="email" autoComplete="off" />
      <Checkbox field={fields.patientDoesntHaveEboks} label="Patienten har ikke e-Boks" />
    </EditForm>
  );
}

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
          ...optional("Adresse", addressOf(patient)),
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
