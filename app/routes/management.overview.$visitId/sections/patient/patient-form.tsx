import { patientLabels } from "~/features/referrals/model/patient-labels";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { Checkbox } from "~/ui/forms/choices";
import type { Fact } from "~/ui/lists/summary-list";
import { CprField } from "~/ui/forms/cpr-field";
import { FieldRow } from "~/ui/layout/page";
import { TextField } from "~/ui/forms/text-field";
import { EditForm } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";
import { useServerForm } from "~/http/forms/use-server-form";

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["patient"]>;

export function PatientForm({
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
