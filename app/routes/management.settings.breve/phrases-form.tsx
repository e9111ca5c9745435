import { getFormProps } from "@conform-to/react";
import { letterParts, type WrittenLetter } from "~/features/discharge-letters/letter-text";
import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea } from "~/ui/forms/text-field";
import { FormPart } from "~/ui/layout/page";

type Texts = Record<keyof WrittenLetter, string>;

const labels = Object.fromEntries(letterParts.map(({ name, label }) => [name, label]));

export function PhrasesForm({ phrases }: { phrases: Record<keyof WrittenLetter, string[]> }) {
  const texts = Object.fromEntries(letterParts.map(({ name }) => [name, phrases[name].join("\n")])) as unknown as Texts;
  const { form, fields, summary } = useServerForm<Texts>("saveLetterPhrases", { labels, defaultValue: texts });
  return (
    <ActionForm
      operation="saveLetterPhrases"
      showsErrors
      preventScrollReset
      {...getFormProps(form)}
      className="panel panel-body"
    >
      <ErrorSummary {...summary("Standardsætningerne er ikke gemt.")} />
      <FormPart
        title="Standardsætninger"
        hint="Kan vælges, når I skriver et udskrivningsbrev. Én på hver linje, højst 20, gerne med et navn foran: Visdomstand = Fjernet i lokal anæstesi."
      >
        {letterParts.map(({ name, label }) => (
          <TextArea
            key={name}
            field={fields[name]}
            label={label}
            optional
            rows={Math.min(12, 2 * phrases[name].length + 1)}
          />
        ))}
        <Button name="intent" value="saveLetterPhrases" variant="primary" state={useButtonState("saveLetterPhrases")}>
          Gem standardsætninger
        </Button>
      </FormPart>
    </ActionForm>
  );
}
