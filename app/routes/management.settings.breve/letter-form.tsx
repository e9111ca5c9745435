import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField } from "~/ui/forms/select-field";
import { TextField } from "~/ui/forms/text-field";
import { hourChoices } from "~/ui/forms/time-fields";
import { FieldRow, FormPart } from "~/ui/layout/page";
import { SaveBar } from "~/ui/layout/save-bar";
import { Verbatim } from "~/ui/layout/translation";

const labels = {
  clinicName: "Klinikkens navn",
  address: "Adresse",
  zip: "Postnr.",
  city: "By",
  phone: "Telefon",
  email: "E-mail",
  web: "Web",
  windowLeft: "Fra venstre (mm)",
  windowTop: "Fra toppen (mm)",
  batchHour: "Dan brevbunken kl.",
};

const hours = hourChoices.map(({ value, label }) => ({ value, label: `${label}.00` }));

interface LetterFormProps {
  settings: {
    letterhead: Record<"clinicName" | "address" | "zip" | "city" | "phone" | "email" | "web", string>;
    window: { left: number; top: number };
    batchHour: string;
    configured: { clinicName: string; phone: string };
    channels: { name: ChannelName; mode: string }[];
  };
}

export function LetterForm({ settings: { letterhead, window, batchHour, configured, channels } }: LetterFormProps) {
  const { form, fields, summary } = useServerForm<Record<keyof typeof labels, string>>("saveLetterSettings", {
    labels,
    defaultValue: {
      ...letterhead,
      windowLeft: String(window.left).replace(".", ","),
      windowTop: String(window.top).replace(".", ","),
      batchHour,
    },
  });
  const printsInHouse = channels.some(({ name, mode }) => name === "print" && mode === "batch");
  return (
    <ActionForm
      operation="saveLetterSettings"
      showsErrors
      preventScrollReset
      {...getFormProps(form)}
      className="panel panel-body"
    >
      <ErrorSummary {...summary("Brevene er ikke gemt.")} />
      <FormPart title="Brevhoved" hint="Står øverst på alle breve. Navn og telefon bruges også i e-mails og SMS.">
        <TextField
          field={fields.clinicName}
          label={labels.clinicName}
          hint={
            <>
              Når feltet er tomt: <Verbatim>{configured.clinicName}</Verbatim>.
            </>
          }
          autoComplete="off"
        />
        <TextField field={fields.address} label={labels.address} autoComplete="off" />
        <FieldRow narrow>
          <TextField field={fields.zip} label={labels.zip} inputMode="numeric" autoComplete="off" />
          <TextField field={fields.city} label={labels.city} autoComplete="off" />
        </FieldRow>
        <FieldRow top>
          <TextField
            field={fields.phone}
            label={labels.phone}
            type="tel"
            hint={
              <>
                Når feltet er tomt: <Verbatim>{configured.phone}</Verbatim>.
              </>
            }
            autoComplete="off"
          />
          <TextField field={fields.email} label={labels.email} type="email" autoComplete="off" />
        </FieldRow>
        <TextField field={fields.web} label={labels.web} autoComplete="off" />
      </FormPart>
      <FormPart
        title="Rudekuvert"
        hint="Her begynder patientens adresse, så den kan læses i kuvertens rude. C5 med ruden til venstre: 20 og 42 mm."
      >
        <FieldRow top>
          <TextField
            field={fields.windowLeft}
            label={labels.windowLeft}
            width={6}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextField
            field={fields.windowTop}
            label={labels.windowTop}
            width={6}
            inputMode="decimal"
            autoComplete="off"
          />
        </FieldRow>
      </FormPart>
      <FormPart
        title="Brevbunke"
        hint={
          printsInHouse
            ? "Breve, der venter, samles i én PDF, som I skriver ud."
            : "Breve sendes til et trykkeri og samles ikke i bunker her."
        }
      >
        <SelectField
          field={fields.batchHour}
          label={labels.batchHour}
          choices={hours}
          empty="Kun når nogen trykker på »Dan brevbunke nu«"
        />
      </FormPart>
      <SaveBar>
        <Button name="intent" value="saveLetterSettings" variant="primary" state={useButtonState("saveLetterSettings")}>
          Gem breve
        </Button>
        <a href={paths.letterSample} target="_blank" rel="noreferrer" className={buttonClass()}>
          Vis et brev som PDF
        </a>
        <span className="meta">PDF-filen viser det, der er gemt.</span>
      </SaveBar>
    </ActionForm>
  );
}
