import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readAnswerSettings, saveAnswerSettings } from "~/features/sms-threads/operations.server";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/fields";
import { FormPart } from "~/ui/layout/page";
import { SaveBar } from "~/ui/layout/save-bar";

const labels = { smsCancellationWords: "Afbudsord", smsKeyword: "Nøgleord" };

interface AnswerSettingsFormProps {
  settings: { smsCancellationWords: string; smsKeyword: string };
  standardWords: string;
}

function AnswerSettingsForm({ settings, standardWords }: AnswerSettingsFormProps) {
  const { form, fields, opened, summary } = useServerForm<typeof labels>("saveAnswerSettings", {
    labels,
    defaultValue: settings,
  });
  return (
    <ActionForm
      operation="saveAnswerSettings"
      preventScrollReset
      of={form}
      opened={opened}
      className="panel panel-body"
    >
      <ErrorSummary {...summary("Indstillingerne er ikke gemt.")} />
      <FormPart
        title="Svar fra patienter"
        hint="Kun et svar, der ikke kan forstås på andre måder, aflyser tiden af sig selv. Resten står som Muligvis afbud."
      >
        <TextField
          field={fields.smsCancellationWords}
          label={labels.smsCancellationWords}
          hint={`Adskilt af komma. Når feltet er tomt: ${standardWords}.`}
          autoComplete="off"
        />
        <TextField
          field={fields.smsKeyword}
          label={labels.smsKeyword}
          hint="Kun hvis udbyderen kræver et ord først i hvert svar. Det fjernes, før svaret læses."
          width={20}
          autoComplete="off"
        />
      </FormPart>
      <SaveBar>
        <IntentButton value="saveAnswerSettings" variant="primary">
          Gem
        </IntentButton>
      </SaveBar>
    </ActionForm>
  );
}

export const meta = pageTitle("SMS-svar");

export const handle = { pageForm: () => "saveAnswerSettings" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readAnswerSettings, {}, { forms: { saveAnswerSettings } });

export const action = (args: ActionFunctionArgs) => runCommand(args, { saveAnswerSettings });

export default function AnswerSettings() {
  return <AnswerSettingsForm {...useLoaderData<typeof loader>()} />;
}
