import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { keyLives, scopeChoices, STANDARD_CALLS_A_MINUTE, STANDARD_LIFE_DAYS } from "~/features/api-keys/scope-words";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { ChoicePicker } from "~/ui/forms/choice-picker";
import { CheckboxGroup, RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField } from "~/ui/forms/password-field";
import { SelectField } from "~/ui/forms/select-field";
import { TextArea, TextField } from "~/ui/forms/text-field";
import { FormPart } from "~/ui/layout/page";

const labels = {
  name: "Navn",
  scopes: "Nøglen må",
  reach: "Henvisninger",
  clinicId: "Klinik",
  userName: "Skriver som (brugernavn)",
  lifeDays: "Gælder i",
  callsPerMinute: "Kald i minuttet, højst",
  addresses: "Kun fra disse adresser",
  currentPassword: "Din adgangskode",
};

interface KeyFormProps {
  clinics: { value: number; label: string }[];
}

export function KeyForm({ clinics }: KeyFormProps) {
  const { form, fields, summary } = useServerForm<typeof labels>("createApiKey", {
    labels,
    firstInput: { reach: "createApiKey-reach-first" },
    defaultValue: {
      reach: "all",
      lifeDays: String(STANDARD_LIFE_DAYS),
      callsPerMinute: String(STANDARD_CALLS_A_MINUTE),
    },
  });
  return (
    <section aria-labelledby="opret-noegle">
      <h2 id="opret-noegle" className="mt-6 mb-2">
        Opret nøgle
      </h2>
      <ActionForm
        operation="createApiKey"
        showsErrors
        preventScrollReset
        {...getFormProps(form)}
        className="panel panel-body"
      >
        <ErrorSummary {...summary("Nøglen er ikke oprettet.")} />
        <FormPart
          title="Hvad"
          hint="Ingen nøgle kan se brugere, indstillinger, eksport eller logs, eller skrive til patienter."
        >
          <TextField
            field={fields.name}
            label={labels.name}
            hint="Det andet systems navn. Det står i loggen ved hvert kald."
            autoComplete="off"
          />
          <CheckboxGroup field={fields.scopes} label={labels.scopes} choices={scopeChoices} />
          <TextField
            field={fields.userName}
            label={labels.userName}
            hint="Kun til Henvise og Beskeder: det, som systemet skriver, står i denne persons navn."
            autoComplete="off"
          />
        </FormPart>
        <FormPart title="Hvor" hint="Andre klinikkers henvisninger findes ikke for nøglen.">
          <RadioGroup
            field={fields.reach}
            label={labels.reach}
            choices={[
              { value: "all", label: "Alle klinikker" },
              { value: "clinic", label: "Én klinik" },
            ]}
          />
          <ChoicePicker field={fields.clinicId} label={labels.clinicId} empty="Vælg" choices={clinics} />
          <TextArea
            field={fields.addresses}
            label={labels.addresses}
            hint="IP-adresser eller netværk, én på hver linje. Tomt felt: alle adresser."
            rows={3}
          />
        </FormPart>
        <FormPart title="Hvor længe og hvor meget">
          <SelectField field={fields.lifeDays} label={labels.lifeDays} choices={keyLives} />
          <TextField
            field={fields.callsPerMinute}
            label={labels.callsPerMinute}
            width={6}
            inputMode="numeric"
            autoComplete="off"
          />
          <PasswordField
            field={fields.currentPassword}
            label={labels.currentPassword}
            autoComplete="current-password"
            required
            width={20}
          />
          <Button name="intent" value="createApiKey" variant="primary" state={useButtonState("createApiKey")}>
            Opret nøgle
          </Button>
        </FormPart>
      </ActionForm>
    </section>
  );
}
