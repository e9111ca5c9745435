import { Form, Link } from "@remix-run/react";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { SelectField } from "~/ui/forms/select-field";
import { TextField } from "~/ui/forms/text-field";
import { Pager } from "~/ui/lists/pager";
import { FailureRow } from "./failure-row";
import type { ShownFailures } from "./present-failures";

const reset = `${paths.logs}?type=fejl`;

/** What failed, as work: each with why, and what can be done about it now. */
export function FailuresPage({ list, isLoading }: { list: ShownFailures; isLoading: boolean }) {
  const here = (page: number) => {
    const next = {
      type: "fejl",
      nr: list.visitNumber || null,
      kanal: list.channel,
      slags: list.kind,
      haandterede: list.withHandled ? 1 : null,
      page,
      fra: page === 1 ? null : page > list.page ? list.end : page < list.page ? list.start : null,
    };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${paths.logs}?${new URLSearchParams(entries).toString()}`;
  };
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
  return (
    <Form
      key={`${list.visitNumber} ${list.channel} ${list.kind} ${list.withHandled}`}
      method="get"
      action={paths.logs}
      className="panel panel-body compact"
    >
      <input type="hidden" name="type" value="fejl" />
      <div className="fields-row desk:flex-nowrap">
        <TextField
          name="nr"
          label="Nr."
          width={6}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={list.visitNumber}
          error={list.isWrongNumber ? "Skriv nummeret med tal." : undefined}
        />
        <SelectField
          name="kanal"
          label="Kanal"
          empty="Alle"
          choices={list.channels}
          defaultValue={list.channel ?? ""}
        />
        <SelectField name="slags" label="Type" empty="Alle" choices={list.kinds} defaultValue={list.kind ?? ""} />
        <Checkbox name="haandterede" value={1} label="Vis også håndterede" defaultChecked={list.withHandled} />
        <Button variant="primary" icon="search" size="compact" className="phone:flex-auto">
          Søg
        </Button>
        <Link to={reset} className="inline-flex items-center min-h-11 table:min-h-9">
          Reset filtre
        </Link>
      </div>
    </Form>
  );
}
