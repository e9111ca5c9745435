import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listUnplacedSms } from "~/features/sms-threads/operations.server";
import { dismissSms, placeSms } from "~/features/sms-threads/settle-answer.server";
import { ActionForm, useServerForm } from "~/http/forms/action-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/fields";
import { presentUnplaced, type ShownUnplaced } from "./present";

function UnplacedAnswer({ answer }: { answer: ShownUnplaced }) {
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
        action={paths.smsUnplaced}
        preventScrollReset
        of={form}
      >
        <ErrorSummary {...summary("Svaret er ikke placeret.")} />
        {answer.candidates.length > 0 && (
          <RadioGroup field={fields.choice} label="Henvisning" choices={answer.choices} />
        )}
        <div className="fields-row">
          <TextField field={fields.visitNumber} label="Nr." width={6} inputMode="numeric" autoComplete="off" />
          <Button value="placeSms" size="compact">
            Placér
          </Button>
          <Button value="dismissSms" size="compact" variant="plain">
            Afvis
          </Button>
        </div>
      </ActionForm>
    </li>
  );
}

export const meta = pageTitle("Ikke placerede svar");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    listUnplacedSms,
    {},
    { subject: ({ answers }) => ({ items: { answerId: answers.map(({ id }) => [id]) } }) },
  );

export const action = (args: ActionFunctionArgs) => runCommand(args, { placeSms, dismissSms });

export default function Unplaced() {
  const { answers } = presentUnplaced(useLoaderData<typeof loader>());
  return (
    <section className="panel panel-body mb-3" aria-labelledby="ikke-placerede">
      <h2 id="ikke-placerede">Ikke placerede svar</h2>
      {answers.length === 0 ? (
        <p className="meta mb-0">Ingen data...</p>
      ) : (
        <ul className="list-none m-0 p-0 divide-y divide-line">
          {answers.map((answer) => (
            <UnplacedAnswer key={answer.id} answer={answer} />
          ))}
        </ul>
      )}
    </section>
  );
}
