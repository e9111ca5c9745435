import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/text-field";
import type { ShownUnplaced } from "./present";

export function UnplacedAnswer({ answer }: { answer: ShownUnplaced }) {
  const formId = `placeSms-${answer.id}`;
  const { form, fields, summary } = useServerForm<{ choice: string; visitNumber: string }>(formId, {
    intent: "placeSms",
    labels: { choice: "Henvisning", visitNumber: "Nr." },
    defaultValue: { choice: "", visitNumber: "" },
  });
  return (
    <li className="py-3">
      <p className="meta m-0">
        From <b className="text-ink">{answer.from}</b> · {answer.at}
        {answer.mayBeCancelled && <b className="text-warn"> · Muligvis afbud</b>}
      </p>
      <p className="inline-block max-w-full mt-1 mb-2 px-3 py-2 rounded bg-raised border border-solid border-line whitespace-pre-line break-anywhere">
        {answer.text}
      </p>
      <ActionForm
        operation="placeSms"
        others={["dismissSms"]}
        place={formId}
        item={`answerId:${answer.id}`}
        showsErrors
        action={paths.smsUnplaced}
        preventScrollReset
        {...getFormProps(form)}
      >
        <ErrorSummary {...summary("Svaret er ikke placeret.")} />
        {answer.candidates.length > 0 && (
          <RadioGroup field={fields.choice} label="Henvisning" choices={answer.choices} />
        )}
        <div className="fields-row">
          <TextField field={fields.visitNumber} label="Nr." width={6} inputMode="numeric" autoComplete="off" />
          <Button name="intent" value="placeSms" size="compact">
            Placér
          </Button>
          <Button name="intent" value="dismissSms" size="compact" variant="plain">
            Afvis
          </Button>
        </div>
      </ActionForm>
    </li>
  );
}
