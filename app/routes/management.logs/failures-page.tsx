import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Checkbox } from "~/ui/forms/choices";
import { SelectField } from "~/ui/forms/select-field";
import { Pager } from "~/ui/lists/pager";
import { FailureRow } from "./failure-row";
import { LogPanel, logPageAddress } from "./log-panel";
import type { ShownFailures } from "./present-failures";

export function FailuresPage({ list, isLoading }: { list: ShownFailures; isLoading: boolean }) {
  const here = (page: number) =>
    logPageAddress(list, page, {
      type: "fejl",
      nr: list.visitNumber || null,
      kanal: list.channel,
      slags: list.kind,
      haandterede: list.withHandled ? 1 : null,
    });
  return (
    <>
      {list.down.map(({ channel, title, text }) => (
        <Notice key={channel} kind="warn" title={title} className="mb-3">
          {text}
        </Notice>
      ))}
      <FailureFilter list={list} />
      <h2 className="mt-4 mb-2">
        FORSENDELSER, DER FEJLEDE <span className="meta font-normal">{list.waiting}</span>
      </h2>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState icon="done" why="Alt er kommet frem, eller nogen har taget sig af det." />
      ) : (
        <ul className="panel divide-y divide-line">
          {list.rows.map((row) => (
            <FailureRow key={`${row.id} ${row.handled === null}`} failure={row} here={here(list.page)} />
          ))}
        </ul>
      )}
      <div className="list-foot mt-3">
        <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
      </div>
    </>
  );
}

function FailureFilter({ list }: { list: ShownFailures }) {
  const { visitNumber, isWrongNumber, channel, kind, withHandled } = list;
  return (
    <LogPanel type="fejl" visitNumber={visitNumber} isWrongNumber={isWrongNumber} values={[channel, kind, withHandled]}>
      <SelectField name="kanal" label="Kanal" empty="Alle" choices={list.channels} defaultValue={channel ?? ""} />
      <SelectField name="slags" label="Type" empty="Alle" choices={list.kinds} defaultValue={kind ?? ""} />
      <Checkbox name="haandterede" value={1} label="Vis også håndterede" defaultChecked={withHandled} />
    </LogPanel>
  );
}
