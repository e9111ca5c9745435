import { Form, Link } from "@remix-run/react";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import { TextField } from "~/ui/forms/text-field";
import { logWords } from "./log-words";
import type { ShownLog } from "./present";

/** The filter of one log. It says nothing about anybody, so it stands in the address. */
export function LogFilter({ log }: { log: ShownLog }) {
  const { typeLabel } = logWords[log.log];
  return (
    <Form
      key={`${log.log} ${log.visitNumber} ${log.type}`}
      method="get"
      action={paths.logs}
      className="panel panel-body compact"
    >
      <input type="hidden" name="type" value={log.log} />
      <div className="fields-row desk:flex-nowrap">
        <TextField
          name="nr"
          label="Nr."
          width={6}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={log.visitNumber}
          error={log.isWrongNumber ? "Skriv nummeret med tal." : undefined}
        />
        <SelectField
          name="slags"
          label={typeLabel}
          empty="Alle"
          choices={log.types}
          defaultValue={log.type ?? ""}
          disabled={log.types.length === 0}
        />
        <Button variant="primary" icon="search" size="compact" className="phone:flex-auto">
          Søg
        </Button>
        <Link to={`${paths.logs}?type=${log.log}`} className="inline-flex items-center min-h-11 table:min-h-9">
          Reset filtre
        </Link>
      </div>
    </Form>
  );
}
