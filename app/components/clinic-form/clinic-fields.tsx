import { activity } from "~/features/directory/activity";
import type { FormField } from "~/ui/forms/field";
import { SelectField, TextField } from "~/ui/forms/fields";
import { FieldRow } from "~/ui/layout/page";

export const clinicLabels = {
  name: "Titel",
  status: "Status",
  address: "Adresse",
  zip: "Postnummer",
  city: "By",
  email: "E-mail",
  mobilePhone: "Mobil",
  phone: "Telefon",
};

export type ClinicFieldName = keyof typeof clinicLabels;

interface ClinicFieldsProps {
  fields: Record<ClinicFieldName, FormField>;
  shownStatus?: string;
}

export function ClinicFields({ fields, shownStatus }: ClinicFieldsProps) {
  return (
    <>
      <FieldRow>
        <TextField field={fields.name} label={clinicLabels.name} autoComplete="off" />
        {shownStatus === undefined ? (
          <SelectField field={fields.status} label={clinicLabels.status} choices={activity} />
        ) : (
          <SelectField
            id={fields.status.id}
            label={clinicLabels.status}
            choices={activity}
            defaultValue={shownStatus}
            disabled
          />
        )}
      </FieldRow>
      <TextField field={fields.address} label={clinicLabels.address} autoComplete="off" />
      <FieldRow narrow>
        <TextField field={fields.zip} label={clinicLabels.zip} autoComplete="off" />
        <TextField field={fields.city} label={clinicLabels.city} autoComplete="off" />
      </FieldRow>
      <TextField field={fields.email} label={clinicLabels.email} type="email" autoComplete="off" />
      <FieldRow>
        <TextField field={fields.mobilePhone} label={clinicLabels.mobilePhone} optional type="tel" autoComplete="off" />
        <TextField field={fields.phone} label={clinicLabels.phone} type="tel" autoComplete="off" />
      </FieldRow>
    </>
  );
}
