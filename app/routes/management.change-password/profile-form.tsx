import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FormPart, FieldRow } from "~/ui/layout/page";
import { PasswordField } from "~/ui/forms/password-field";
import { TextField } from "~/ui/forms/text-field";

interface Profile extends Record<string, string> {
  firstName: string;
  lastName: string;
  userName: string;
  email: string;
  phone: string;
}

interface ProfileFields extends Partial<Profile> {
  currentPassword?: string;
}

const labels = {
  firstName: "Fornavn",
  lastName: "Efternavn",
  userName: "Brugernavn",
  email: "E-mail",
  phone: "Telefon",
  currentPassword: "Nuværende adgangskode",
};

export function ProfileForm({ profile }: { profile: Profile }) {
  const { form, fields, formErrors, summary } = useServerForm<ProfileFields>("changeProfile", {
    defaultValue: profile,
    guarded: "path",
    labels,
  });
  const state = useButtonState("changeProfile");
  // A refusal such as a taken name is no missing field.
  const title = formErrors.length > 0 ? "Dine brugerdata er ikke gemt." : undefined;
  return (
    <ActionForm operation="changeProfile" showsErrors {...getFormProps(form)} className="panel panel-body">
      <FormPart title="SKIFT BRUGERDATA" hint="Felter med * skal udfyldes.">
        <ErrorSummary {...summary()} title={title} />
        <FieldRow>
          <TextField field={fields.firstName} label="Fornavn" autoComplete="given-name" />
          <TextField field={fields.lastName} label="Efternavn" autoComplete="family-name" />
        </FieldRow>
        <FieldRow>
          <TextField field={fields.userName} label="Brugernavn" autoComplete="username" />
          <TextField field={fields.email} label="E-mail" type="email" autoComplete="email" />
        </FieldRow>
        <FieldRow top>
          <TextField field={fields.phone} label="Telefon" optional type="tel" autoComplete="tel" />
          <PasswordField
            field={fields.currentPassword}
            label="Nuværende adgangskode"
            hint="Kun når du ændrer brugernavn eller e-mail."
            autoComplete="current-password"
          />
        </FieldRow>
        <Button name="intent" value="changeProfile" variant="primary" state={state}>
          Gem brugerdata
        </Button>
      </FormPart>
    </ActionForm>
  );
}
