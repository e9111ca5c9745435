import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { readJobs, runJobNow } from "~/features/job-register/read-jobs.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { Notice } from "~/ui/feedback/notice";
import { StateText } from "~/ui/lists/chip";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { presentJobs, type ShownJob } from "./present";

export const meta = pageTitle("Job");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, readJobs, {});

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { runJobNow });

const Moment = ({ at }: { at: ShownJob["nextAt"] }) =>
  at ? (
    <time className="whitespace-nowrap" dateTime={at.iso}>
      {at.text}
    </time>
  ) : (
    <>–</>
  );

const columns: PlainColumn<ShownJob>[] = [
  { label: "Job", cell: ({ label }) => label },
  { label: "Hvor tit", cell: ({ often }) => often },
  { label: "Sidst kørt", cell: ({ finishedAt }) => <Moment at={finishedAt} /> },
  { label: "Resultat", cell: ({ state }) => <StateText state={state} /> },
  { label: "Næste gang", cell: ({ nextAt }) => <Moment at={nextAt} /> },
  {
    label: "Kør",
    cell: ({ name, label, canRunNow }) =>
      canRunNow && (
        <ActionForm operation="runJobNow" preventScrollReset>
          <input type="hidden" name="job" value={name} />
          <Button
            name="intent"
            value="runJobNow"
            size="small"
            icon="refresh"
            className="whitespace-nowrap"
            aria-label={`Kør nu: ${label}`}
          >
            Kør nu
          </Button>
        </ActionForm>
      ),
  },
];

export default function Jobs() {
  const shell = useRouteLoaderData("routes/management") as { copyMadeAt: string | null } | undefined;
  const { jobs, retention, copyMadeAt } = presentJobs(useLoaderData<typeof loader>(), shell?.copyMadeAt ?? null);
  return (
    <div className="stack">
      <section aria-labelledby="job-titel">
        <div className="row mb-2">
          <h2 id="job-titel">Det, der kører af sig selv</h2>
          <a href={paths.jobs}>Opdatér</a>
        </div>
        {copyMadeAt !== null && (
          <Notice kind="warn" className="mb-3">
            Dette er en kopi fra {copyMadeAt}: ingen job kører, og ingen beskeder sendes, før driften siger til på
            serveren med
            <code> node build/server.js resume-sending</code>.
          </Notice>
        )}
        <PlainTable caption="Job" columns={columns} rows={jobs} keyOf={({ name }) => name} />
      </section>
      <section aria-labelledby="beholdes-titel">
        <h2 id="beholdes-titel" className="mt-6 mb-2">
          Hvor længe det gemmes
        </h2>
        <PlainTable
          caption="Hvor længe det gemmes"
          columns={[
            { label: "Hvad", cell: ({ label }) => label },
            { label: "Hvor længe", cell: ({ howLong }) => howLong },
          ]}
          rows={retention}
          keyOf={({ label }) => label}
        />
      </section>
    </div>
  );
}
