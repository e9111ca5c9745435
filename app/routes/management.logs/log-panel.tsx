import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { TextField } from "~/ui/forms/text-field";

interface LogPanelProps {
  /** Which log, as the address names it. */
  type: string;
  visitNumber: string;
  isWrongNumber: boolean;
  /** What it is filtered by besides the number: fields with other values are other fields. */
  values: readonly unknown[];
  /** What the address says besides, whatever is searched for. */
  fixed?: Readonly<Record<string, string>>;
  children: ReactNode;
}

/** The filter of a log: the number, and the fields of its own. It says nothing about anybody, so it stands in the address. */
export function LogPanel({ type, visitNumber, isWrongNumber, values, fixed = {}, children }: LogPanelProps) {
  return (
    <Form
      key={[type, visitNumber, ...values].join(" ")}
      method="get"
      action={paths.logs}
      className="panel panel-body compact"
    >
      {Object.entries({ type, ...fixed }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="fields-row desk:flex-nowrap">
        <TextField
          name="nr"
          label="Nr."
          width={6}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={visitNumber}
          error={isWrongNumber ? "Skriv nummeret med tal." : undefined}
        />
        {children}
        <Button variant="primary" icon="search" size="compact" className="phone:flex-auto">
          Søg
        </Button>
        <Link
          to={`${paths.logs}?${new URLSearchParams({ type, ...fixed }).toString()}`}
          className="inline-flex items-center min-h-11 table:min-h-9"
        >
          Reset filtre
        </Link>
      </div>
    </Form>
  );
}

/** Where a page of a log that is stepped through begins. */
interface Stepped {
  page: number;
  start: string | null;
  end: string | null;
}

/** The address of a page of a log, a step from the one that is shown; `values` are what it is filtered by. */
export function logPageAddress(
  list: Stepped,
  page: number,
  values: Readonly<Record<string, string | number | null>>,
): string {
  const from = page === 1 ? null : page > list.page ? list.end : page < list.page ? list.start : null;
  const entries = Object.entries({ ...values, page, fra: from }).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)]],
  );
  return `${paths.logs}?${new URLSearchParams(entries).toString()}`;
}
