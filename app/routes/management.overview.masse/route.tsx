import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { filters } from "~/features/referrals/list/filters";
import { namedStatuses } from "~/features/referrals/model/status";
import { askAllStatuses } from "~/features/referrals/status/operations.server";
import { setAllStatuses } from "~/features/referrals/status/set-statuses.server";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { presentFilter } from "~/lists/filters";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { DialogPage } from "~/ui/feedback/dialog";
import { Notice } from "~/ui/feedback/notice";
import { ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField } from "~/ui/forms/fields";

function presentMassChange(values: SerializeFrom<typeof loader>) {
  const statuses = namedStatuses(values, values.seesInternal);
  return {
    statuses,
    count: values.count,
    max: values.max,
    many: values.count === 1 ? "1 henvisning" : `${showCount(values.count)} henvisninger`,
    activeFilters: presentFilter(filters, values, statuses).active.map(({ text }) => text),
  };
}

export const meta = pageTitle("Skift status på alle");

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, askAllStatuses, { f: new URL(args.request.url).searchParams.get("f") });

export { clientAction, clientLoader } from "~/http/forms/client-page";

export const action = (args: ActionFunctionArgs) => runCommand(args, { setAllStatuses });

export default function ChangeAll() {
  const { statuses, count, max, many, activeFilters } = presentMassChange(useLoaderData<typeof loader>());
  const { pathname, search } = useLocation();
  const list = paths.overview + search;
  const { form, fields, summary } = useServerForm<{ status: string }>("setAllStatuses", {
    defaultValue: { status: "" },
  });
  return (
    <DialogPage title={`Skift status på ${many}?`} closeTo={list}>
      <ActionForm operation="setAllStatuses" action={pathname + search} of={form} className="stack" preventScrollReset>
        <ErrorSummary {...summary("Der er ikke gemt.")} />
        <p>
          Alle, der passer til filteret, får den status, du vælger.{" "}
          {activeFilters.length > 0
            ? `Filteret er: ${activeFilters.join(" · ")}.`
            : "Det er standardfilteret: alle åbne henvisninger."}
        </p>
        <p className="meta">Ingen filer slettes. Du kan fortryde, så længe beskeden står på siden.</p>
        {count > max && <Notice kind="warn">Højst {showCount(max)} ad gangen. Gør filteret snævrere.</Notice>}
        <input type="hidden" name="f" value={new URLSearchParams(search).get("f") ?? ""} />
        <input type="hidden" name="count" value={count} />
        <input type="hidden" name="here" value={list} />
        <SelectField field={fields.status} label="Ny status" empty="Vælg status" choices={statuses} />
        <div className="row">
          {count > 0 && count <= max && (
            <IntentButton value="setAllStatuses" variant="primary">
              Skift status på {many}
            </IntentButton>
          )}
          <ButtonLink to={list} preventScrollReset>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </DialogPage>
  );
}
