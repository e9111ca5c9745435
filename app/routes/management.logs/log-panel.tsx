import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { TextField } from "~/ui/forms/fields";

export const NO_DATA = "Ingen data...";

interface LogPanelProps {
  type: string;
  visitNumber: string;
  isWrongNumber: boolean;
  values: readonly unknown[];
  fixed?: Readonly<Record<string, string>>;
  children: ReactNode;
}

/** Filter of a log. Contains no personal data, so it is in the address. */
export function LogPanel({ type, visitNumber, isWrongNumber, values, fixed = {}, children }: LogPanelProps) {
  return (
    <Form
      key={[type, visitNumber, ...values].join(" ")}
      method="get"
      action={paths.logs}
      className="panel panel-body compact print:hidden"
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

interface Stepped {
  page: number;
  start: string | null;
  end: string | null;
}

export function logPageAddress(
  list: Stepped,
  page: number,
  values: Readonly<Record<string, string | number | null>>,
): string {
  const from = page === 1 ? null : page > list.page ? list.end : list.start;
  const entries = Object.entries({ ...values, page, fra: from }).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)]],
  );
  return `${paths.logs}?${new URLSearchParams(entries).toString()}`;
}
