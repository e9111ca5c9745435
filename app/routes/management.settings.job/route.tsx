import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { jobNames } from "~/features/job-register/job-names";
import { readJobs, runJobNow } from "~/features/job-register/operations.server";
import { retention } from "~/features/maintenance/retention";
import { ActionForm } from "~/http/forms/action-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showDateTime, showShortDateTime } from "~/text/dates";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { StateText } from "~/ui/lists/chip";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";

type Values = SerializeFrom<typeof loader>;
type ShownJob = ReturnType<typeof presentJob> | ReturnType<typeof pausedJob>;

const MINUTE = 60;
const YEAR = 365;

/** Jobs and retention periods as text. @param copyMadeAt moment of the copy, while no job runs; otherwise null */
const presentJobs = ({ jobs }: Values, copyMadeAt: string | null) => ({
  copyMadeAt: copyMadeAt === null ? null : showDateTime(copyMadeAt),
  jobs: jobs.map((job) => (copyMadeAt === null ? presentJob(job) : pausedJob(presentJob(job)))),
  keptRows: Object.values(retention).map(({ label, days }) => ({ label, period: howLong(days) })),
});

const presentJob = ({ name, everySeconds, isRunning, finishedAt, hasFailed, nextAt }: Values["jobs"][number]) => ({
  name,
  label: jobNames[name].label,
  often: howOften(everySeconds),
  /** Jobs that wait for work cannot be run on demand. */
  canRunNow: everySeconds >= MINUTE,
  finishedAt: finishedAt === null ? null : { iso: finishedAt, text: showShortDateTime(finishedAt) },
  nextAt: nextAt === null || everySeconds < MINUTE ? null : { iso: nextAt, text: showShortDateTime(nextAt) },
  state: stateOf(isRunning, finishedAt, hasFailed),
});

const pausedJob = (job: ReturnType<typeof presentJob>) => ({
  ...job,
  canRunNow: false,
  nextAt: null,
  state: { label: "Står stille", tone: "warn", icon: "hourglass" } as const,
});

function howOften(seconds: number): string {
  if (seconds < MINUTE) return "Når der er noget at gøre";
  if (seconds === MINUTE) return "Hvert minut";
  return seconds === 60 * MINUTE ? "Hver time" : `Hvert ${seconds / MINUTE}. minut`;
}

function stateOf(isRunning: boolean, finishedAt: string | null, hasFailed: boolean) {
  if (isRunning) return { label: "Kører", tone: "info", icon: "hourglass" } as const;
  if (finishedAt === null) return { label: "Ikke kørt endnu", tone: "closed", icon: "clock" } as const;
  return hasFailed
    ? ({ label: "Mislykkedes", tone: "err", icon: "failed" } as const)
    : ({ label: "Gik godt", tone: "ok", icon: "done" } as const);
}

function howLong(days: number): string {
  if (days % YEAR === 0) return `${days / YEAR} år`;
  return days === 1 ? "1 dag" : `${days} dage`;
}

export const meta = pageTitle("Job");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => runPage(args, readJobs, {});

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
        <ActionForm operation="runJobNow" place={`runJobNow-${name}`} preventScrollReset>
          <input type="hidden" name="job" value={name} />
          <Button
            value="runJobNow"
            size="small"
            variant="plain"
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
  const { jobs, keptRows, copyMadeAt } = presentJobs(useLoaderData<typeof loader>(), shell?.copyMadeAt ?? null);
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
            { label: "Hvor længe", cell: ({ period }) => period },
          ]}
          rows={keptRows}
          keyOf={({ label }) => label}
        />
      </section>
    </div>
  );
}
