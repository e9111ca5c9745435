import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { DateField } from "~/ui/forms/date-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import type { Statistics } from "./present";

/** The shown list as CSV. A plain form, since a file is the answer. */
export function ExportForm({ page: { list, period } }: { page: Statistics }) {
  const { form, fields, fieldErrors } = useServerForm<{ dateFrom: string; dateTo: string }>("exportStatistics", {
    guarded: "question",
  });
  return (
    <ActionForm
      operation="exportStatistics"
      showsErrors
      reloadDocument
      {...getFormProps(form)}
      className="panel panel-body stack-s mt-4 no-print"
    >
      <input type="hidden" name="dataType" value={list.dataType} />
      <input type="hidden" name="shownFrom" value={period.from} />
      <input type="hidden" name="shownTo" value={period.to} />
      <ErrorSummary errors={fieldErrors} title="Der er ikke eksporteret noget." id={form.errorId} />
      <div className="row">
        <b>Statistik liste eksport:</b>
        <DateField field={fields.dateFrom} label="Fra" placeholder="Fra" />
        <DateField field={fields.dateTo} label="Til" placeholder="Til" />
        <Button name="intent" value="exportStatistics" icon="download">
          Export til CSV
        </Button>
        <span className="meta">Tomme datoer giver hele perioden</span>
      </div>
    </ActionForm>
  );
}
