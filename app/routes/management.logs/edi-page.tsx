import { ActionForm } from "~/http/forms/action-form";
import { useBusy } from "~/http/forms/use-busy";
import { useFormErrors } from "~/http/forms/use-action-result";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import { Pager } from "~/ui/lists/pager";
import { EdiDirections } from "./edi-directions";
import { EdiRow } from "./edi-row";
import { LogPanel, logPageAddress } from "./log-panel";
import type { ShownEdi } from "./present-edi";

export function EdiPage({ list, isLoading }: { list: ShownEdi; isLoading: boolean }) {
  const here = (page: number) =>
    logPageAddress(list, page, { type: "edi", nr: list.visitNumber || null, status: list.state });
  return (
    <>
      {list.inbox === null && (
        <Notice kind="warn" title="Ikke indstillet." className="mb-3">
          Portalen har ingen EDI-mappe at læse fra: EDI_DIR eller EDI_SFTP_URL skal sættes på serveren.
        </Notice>
      )}
      <EdiFilter list={list} />
      <div className="flex flex-wrap items-center justify-between">
        <EdiDirections current="in" visitNumber={list.visitNumber} waiting={list.waiting} />
        {list.inbox !== null && <ImportButton here={here(list.page)} label={list.inbox} />}
      </div>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState why="Der er ikke kommet noget pr. EDI, der passer." />
      ) : (
        <ul className="panel divide-y divide-line">
          {list.rows.map((row) => (
            <EdiRow key={`${row.id} ${row.state.label}`} message={row} here={here(list.page)} />
          ))}
        </ul>
      )}
      <div className="list-foot mt-3">
        <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
      </div>
    </>
  );
}

function ImportButton({ here, label }: { here: string; label: string }) {
  const isBusy = useBusy("runEdiImport") === "working";
  const errors = useFormErrors("runEdiImport");
  return (
    <ActionForm
      operation="runEdiImport"
      showsErrors
      action={here}
      preventScrollReset
      className="flex flex-wrap items-center tablet:mt-4 mb-3 tablet:mb-2"
    >
      <span className="meta mr-3">{label}</span>
      <Button name="intent" value="runEdiImport" size="small" aria-disabled={isBusy || undefined}>
        EDI import
      </Button>
      {errors.length > 0 && (
        <Notice kind="error" live className="ml-3">
          {errors.join(" ")}
        </Notice>
      )}
    </ActionForm>
  );
}

function EdiFilter({ list: { visitNumber, isWrongNumber, state, states } }: { list: ShownEdi }) {
  return (
    <LogPanel type="edi" visitNumber={visitNumber} isWrongNumber={isWrongNumber} values={[state]}>
      <SelectField name="status" label="Status" empty="Alle" choices={states} defaultValue={state ?? ""} />
    </LogPanel>
  );
}
