import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listUnplacedSms } from "~/features/sms-threads/list-unplaced.server";
import { dismissSms, placeSms } from "~/features/sms-threads/settle-answer.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { presentUnplaced } from "./present";
import { UnplacedAnswer } from "./unplaced-answer";

export const meta = pageTitle("Ikke placerede svar");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    listUnplacedSms,
    {},
    { subject: ({ answers }) => ({ items: { answerId: answers.map(({ id }) => [id]) } }) },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { placeSms, dismissSms });

/** Answers that may belong to several patients or none, to be placed by a person. */
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
