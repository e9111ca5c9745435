import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { exportByDates, exportFiltered, exportPicked, readExportPage } from "~/features/exports/operations.server";
import { ActionForm, useServerForm } from "~/http/forms/action-form";
import { useFormErrors } from "~/http/forms/use-action-result";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { addYears, parseDay } from "~/text/calendar";
import { showDateTime } from "~/text/dates";
import { showCount } from "~/text/numbers";
import { DialogPage } from "~/ui/feedback/dialog";
import { Button } from "~/ui/forms/button";
import { DateField } from "~/ui/forms/date-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldRow } from "~/ui/layout/page";

const presentExport = ({ lastExportAt, filteredCount, ...page }: SerializeFrom<typeof loader>) => ({
  ...page,
  lastExportAt: lastExportAt && showDateTime(lastExportAt),
  filtered: filteredCount === 1 ? "1 henvisning" : `${showCount(filteredCount)} henvisninger`,
});

export const meta = pageTitle("Eksport");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(args, readExportPage, { f: query.get("f") || null, pick: query.getAll("pick") });
};

export const action = (args: ActionFunctionArgs) => runCommand(args, { exportByDates, exportFiltered, exportPicked });

export default function Export() {
  const page = presentExport(useLoaderData<typeof loader>());
  const list = page.f ? `${paths.overview}?${new URLSearchParams({ f: page.f }).toString()}` : paths.overview;
  const refused = [...useFormErrors("exportPicked"), ...useFormErrors("exportFiltered")];
  return (
    <DialogPage title="Eksport" closeTo={list}>
      <div className="stack">
        <p className="meta">
          CSV-fil til regneark.{" "}
          {page.lastExportAt ? `Sidst eksporteret ${page.lastExportAt}.` : "Der er ikke eksporteret noget endnu."}
        </p>
        <ErrorSummary errors={refused.map((text) => ({ text }))} title="Der er ikke eksporteret noget." />
        {page.picks.length > 0 && (
          <ActionForm operation="exportPicked" showsErrors reloadDocument>
            {page.picks.map((pick) => (
              <input key={pick} type="hidden" name="pick" value={pick} />
            ))}
            <Button value="exportPicked" variant="primary" icon="download">
              Eksportér de valgte ({page.picks.length})
            </Button>
          </ActionForm>
        )}
        <ActionForm operation="exportFiltered" showsErrors reloadDocument className="stack-s">
          <input type="hidden" name="f" value={page.f ?? ""} />
          <h2>{page.isFiltered ? "Alle i filteret" : "Alle i oversigten"}</h2>
          <Button value="exportFiltered" icon="download">
            Eksportér {page.filtered}
          </Button>
        </ActionForm>
        <ByDates />
      </div>
    </DialogPage>
  );
}

function ByDates() {
  const { form, fields, fieldErrors } = useServerForm<{ dateFrom: string; dateTo: string }>("exportByDates", {
    guarded: "question",
  });
  const [dates, setDates] = useState({
    dateFrom: fields.dateFrom.defaultValue ?? "",
    dateTo: fields.dateTo.defaultValue ?? "",
  });
  const [from, to] = [parseDay(dates.dateFrom), parseDay(dates.dateTo)];
  return (
    <ActionForm
      operation="exportByDates"
      reloadDocument
      of={form}
      className="stack-s"
      onInput={({ target }) =>
        setDates({ ...dates, [(target as HTMLInputElement).name]: (target as HTMLInputElement).value })
      }
    >
      <h2>Efter dato</h2>
      <ErrorSummary errors={fieldErrors} title="Der er ikke eksporteret noget." id={form.errorId} />
      <FieldRow>
        <DateField
          field={fields.dateFrom}
          label="Dato fra"
          min={to ? addYears(to, -1) : undefined}
          max={to ?? undefined}
        />
        <DateField
          field={fields.dateTo}
          label="Dato til"
          min={from ?? undefined}
          max={from ? addYears(from, 1) : undefined}
        />
      </FieldRow>
      <p className="meta">
        Begge dage er med, fra kl. 00.00 til midnat. Højst et år. Med kun én dato tages året efter eller før den.
      </p>
      <Button value="exportByDates" icon="download">
        Eksportér efter dato
      </Button>
    </ActionForm>
  );
}
