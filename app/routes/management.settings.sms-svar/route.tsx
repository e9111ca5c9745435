import { getFormProps } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readAnswerSettings, saveAnswerSettings } from "~/features/sms-threads/operations.server";
import { ActionForm, useButtonState, useServerForm } from "~/http/forms/action-form";
import { keepFormOnNetworkError, keepPageOnNetworkError, afterChanges } from "~/http/forms/client-page";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { Button } from "~/ui/forms/button";
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
  const { form, fields, summary } = useServerForm<typeof labels>("saveAnswerSettings", {
    labels,
    defaultValue: settings,
  });
  return (
    <ActionForm
      operation="saveAnswerSettings"
      showsErrors
      preventScrollReset
      {...getFormProps(form)}
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
        <Button name="intent" value="saveAnswerSettings" variant="primary" state={useButtonState("saveAnswerSettings")}>
          Gem
        </Button>
      </SaveBar>
    </ActionForm>
  );
}

export const meta = pageTitle("SMS-svar");

export const handle = { pageForm: () => "saveAnswerSettings" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readAnswerSettings, {}, { forms: { saveAnswerSettings } });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { saveAnswerSettings });

export default function AnswerSettings() {
  return <AnswerSettingsForm {...useLoaderData<typeof loader>()} />;
}
