import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { ConditionsCard } from "~/components/portal-text/portal-text";
import { acceptConditions, sealFormUntilAccepted, readConditions } from "~/features/accounts/operations.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { Button } from "~/ui/forms/button";
import { EmptyState } from "~/ui/feedback/empty-state";
import { ErrorNotice, Notice } from "~/ui/feedback/notice";

export const meta = pageTitle("Betingelser");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readConditions,
    {},
    { subject: ({ conditions }) => (conditions === null ? {} : { fields: { version: conditions.version } }) },
  );

/** A form sent when new conditions had come arrives here by 307 with its own intent; its text is kept. */
export const action = (args: ActionFunctionArgs) => runCommand(args, { acceptConditions, "*": sealFormUntilAccepted });

export default function Conditions() {
  const { conditions, isAccepted } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const refused = useActionData<typeof action>()?.submission?.error?.[""];
  if (!conditions) return <EmptyState why="Der er ingen betingelser." />;
  return (
    <ConditionsCard level="h1" body={conditions.body} notice={<ErrorNotice texts={refused} />}>
      {isAccepted ? (
        <Notice kind="success">Du har accepteret betingelserne.</Notice>
      ) : (
        <ActionForm operation="acceptConditions">
          <input type="hidden" name="to" value={query.get("to") ?? ""} />
          <Button value="acceptConditions" variant="primary" size="large">
            {conditions.buttonText}
          </Button>
        </ActionForm>
      )}
    </ConditionsCard>
  );
}
