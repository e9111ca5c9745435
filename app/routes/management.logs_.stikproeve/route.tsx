import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PageHead } from "~/components/page-frame/page-frame";
import {
  drawAccessSample,
  readAccessSample,
  type Relation,
  signAccessSample,
} from "~/features/audit-log/access-sample.server";
import { auditWords, roleWords } from "~/features/audit-log/words/audit-words";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showDate, showMonth, showShortDateTime } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea } from "~/ui/forms/fields";
import { Verbatim } from "~/ui/layout/translation";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";

const labels = { sampleNote: "Hvad viste gennemgangen?" };

const relations: Readonly<Record<Relation, string>> = {
  surgeon: "Kirurg på sagen",
  referrer: "Henviser",
  creator: "Oprettede henvisningen",
  clinic: "Fra henviserens klinik",
  changed: "Har arbejdet med sagen",
  none: "Ingen registreret",
};

export const meta = pageTitle("Stikprøve");

export const handle = { pageForm: () => "signAccessSample" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readAccessSample,
    { month: new URL(args.request.url).searchParams.get("maaned") },
    {
      forms: { signAccessSample },
      subject: ({ shown }) => (shown === undefined ? {} : { fields: { month: shown.month } }),
    },
  );

export const action = (args: ActionFunctionArgs) => runCommand(args, { drawAccessSample, signAccessSample });

type Page = SerializeFrom<typeof loader>;
type Sample = NonNullable<Page["shown"]>;
type LookUp = Sample["lookUps"][number];

const lookUpColumns: readonly PlainColumn<LookUp>[] = [
  { label: "Tidspunkt", cell: ({ at }) => <time dateTime={at}>{showShortDateTime(at)}</time> },
  {
    label: "Hvem",
    cell: ({ name, userName, actorKind, role }) => (
      <div>
        <Verbatim>{name}</Verbatim>
        <span className="meta block break-anywhere">
          {roleWords(actorKind, role)} · <Verbatim>{userName}</Verbatim>
        </span>
      </div>
    ),
  },
  { label: "Hvad", cell: ({ operation }) => auditWords(operation).what },
  {
    label: "Patient",
    isVerbatim: true,
    cell: ({ patient, referralId }) => (
      <span>
        {patient} <a href={paths.referral(referralId)}>nr. {referralId}</a>
      </span>
    ),
  },
  {
    label: "Relation",
    cell: ({ relation }) => (relation === "none" ? <b>{relations.none}</b> : relations[relation]),
  },
];

const earlierColumns: readonly PlainColumn<Page["earlier"][number]>[] = [
  { label: "Måned", cell: ({ month }) => <a href={`${paths.accessSample}?maaned=${month}`}>{showMonth(month)}</a> },
  { label: "Trukket", cell: ({ drawnAt, drawnBy }) => <Signature at={drawnAt} by={drawnBy} /> },
  {
    label: "Godkendt",
    cell: ({ signedAt, signedBy }) => (signedAt === null ? "Ikke endnu" : <Signature at={signedAt} by={signedBy} />),
  },
  { label: "Note", isVerbatim: true, cell: ({ note }) => <span className="break-anywhere">{note}</span> },
];

function Signature({ at, by }: { at: string; by: string | null }) {
  return (
    <>
      <time dateTime={at}>{showDate(at)}</time> af <Verbatim>{by}</Verbatim>
    </>
  );
}

function SignForm() {
  const { form, fields, summary } = useServerForm<typeof labels>("signAccessSample", { labels });
  return (
    <ActionForm operation="signAccessSample" of={form} className="stack-s mt-4 print:hidden">
      <ErrorSummary {...summary("Stikprøven er ikke godkendt.")} />
      <TextArea
        field={fields.sampleNote}
        label={labels.sampleNote}
        hint="Fx at alle havde en grund, eller hvem der er spurgt, og hvad de svarede."
        rows={3}
      />
      <IntentButton value="signAccessSample" variant="primary" className="justify-self-start">
        Godkend stikprøven
      </IntentButton>
    </ActionForm>
  );
}

function ShownSample({ sample }: { sample: Sample }) {
  return (
    <section aria-labelledby="stikproeve" className="panel panel-body">
      <h2 id="stikproeve" className="mb-1">
        Opslag i {showMonth(sample.month)}
      </h2>
      <p className="meta mb-3">
        Trukket <Signature at={sample.drawnAt} by={sample.drawnBy} />. En relation er, hvad portalen ved: »Ingen
        registreret« kan have en god grund.
      </p>
      {sample.lookUps.length === 0 ? (
        <EmptyState why="Ingen opslag at vise: måneden havde ingen, eller de er slettet efter fem år." />
      ) : (
        <PlainTable caption="Opslag" columns={lookUpColumns} rows={sample.lookUps} keyOf={({ id }) => id} wide />
      )}
      {sample.signedAt === null && sample.lookUps.length === 0 ? null : sample.signedAt === null ? (
        <SignForm />
      ) : (
        <>
          <p className="mt-4">
            <b>
              Godkendt <Signature at={sample.signedAt} by={sample.signedBy} />
            </b>
          </p>
          <p className="whitespace-pre-line break-anywhere">
            <Verbatim>{sample.note}</Verbatim>
          </p>
        </>
      )}
    </section>
  );
}

export default function AccessSample() {
  const { due, isDrawn, shown, earlier } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Stikprøve" />
      <p className="mb-3">
        Ti tilfældige opslag fra den forrige måned: hvem så hvilken patient, og hvad havde de med hinanden at gøre?{" "}
        <a href={paths.accessLog()}>Til adgangsloggen</a>
      </p>
      {!isDrawn && (
        <ActionForm operation="drawAccessSample" showsErrors className="mb-4">
          <IntentButton value="drawAccessSample" variant="primary">
            Træk stikprøven for {showMonth(due)}
          </IntentButton>
        </ActionForm>
      )}
      {shown !== undefined && <ShownSample sample={shown} />}
      {earlier.length > 0 && (
        <section aria-labelledby="andre" className="mt-6">
          <h2 id="andre" className="mb-2">
            Andre stikprøver
          </h2>
          <PlainTable
            caption="Andre stikprøver"
            columns={earlierColumns}
            rows={earlier}
            keyOf={({ month }) => month}
            wide
          />
        </section>
      )}
    </>
  );
}
