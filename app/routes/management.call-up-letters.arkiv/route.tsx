import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { markBatchPrinted, putBatchBack } from "~/features/letter-batches/make-letter-batch.server";
import { readLetterArchive } from "~/features/letter-batches/read-letter-archive.server";
import { ActionForm } from "~/http/forms/action-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showDateTime, showDay, showShortDateTime } from "~/text/dates";
import { Button } from "~/ui/forms/button";
import { DateField } from "~/ui/forms/date-field";
import { Icon } from "~/ui/icons/icon";

type Values = SerializeFrom<typeof loader>;
type ArchivedBatch = ReturnType<typeof presentBatch>;

const presentArchive = ({ from, to, typed, errors, batches }: Values) => ({
  from: typed.from || showDay(from),
  to: typed.to || showDay(to),
  errors,
  batches: batches.map(presentBatch),
});

const presentBatch = ({ id, date, letterCount, pageCount, printedAt, isWithdrawn }: Values["batches"][number]) => ({
  id,
  date: showShortDateTime(date),
  letters: `${letterCount === 1 ? "1 brev" : `${letterCount} breve`}, ${pageCount} ${pageCount === 1 ? "side" : "sider"}`,
  isLive: printedAt === null && !isWithdrawn,
  state: isWithdrawn ? "Ikke udskrevet, lagt tilbage" : printedAt && `Udskrevet ${showDateTime(printedAt)}`,
});

export const meta = pageTitle("Arkiv over indkaldelser");

export { shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(
    args,
    readLetterArchive,
    { from: query.get("fra"), to: query.get("til") },
    { subject: ({ batches }) => ({ items: { batchId: batches.map(({ id }) => [id]) } }) },
  );
};

export const action = (args: ActionFunctionArgs) => runCommand(args, { markBatchPrinted, putBatchBack });

export default function LetterArchive() {
  const { from, to, errors, batches } = presentArchive(useLoaderData<typeof loader>());
  return (
    <section className="panel panel-body mb-3" aria-label="Arkiv">
      <h2>Arkiv over breve</h2>
      <Form method="get" action={paths.letterArchive} className="fields-row mt-2" key={`${from} ${to}`}>
        <DateField name="fra" id="arkiv-fra" label="Fra" defaultValue={from} error={errors.from} />
        <DateField name="til" id="arkiv-til" label="Til" defaultValue={to} error={errors.to} />
        <Button size="compact" icon="search">
          Hent arkiv
        </Button>
      </Form>
      {batches.length === 0 ? (
        <p className="meta mt-3">Ingen data...</p>
      ) : (
        <ul className="divide-y divide-line mt-3">
          {batches.map((batch) => (
            <li
              key={batch.id}
              className="flex flex-wrap items-center min-h-11 py-1 [&>*]:mr-4 tablet:grid tablet:grid-cols-[94px_162px_142px_minmax(0,1fr)]"
            >
              <a href={paths.letterBatch(batch.id)} data-file="" className="flex items-center whitespace-nowrap">
                <Icon name="pdf" size={18} className="mr-1" /> Nr. {batch.id}
              </a>
              <span>{batch.date}</span>
              <span>{batch.letters}</span>
              {batch.isLive ? <BatchForms batch={batch} /> : <span className="meta">{batch.state}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function BatchForms({ batch }: { batch: ArchivedBatch }) {
  return (
    <ActionForm
      operation="markBatchPrinted"
      others={["putBatchBack"]}
      item={`batchId:${batch.id}`}
      place={`letterBatch-${batch.id}`}
      action={paths.letterArchive}
      className="row push"
      preventScrollReset
    >
      <Button value="markBatchPrinted" size="small" icon="done">
        Markér som udskrevet
      </Button>
      <Button value="putBatchBack" variant="plain" size="small">
        Læg brevene tilbage i køen
      </Button>
    </ActionForm>
  );
}
