import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { DateField } from "~/ui/forms/date-field";
import type { Statistics } from "./present";

export function PeriodForm({ page }: { page: Statistics }) {
  const { fields, errors, choices, list } = page;
  return (
    <form method="get" action={paths.statistics} className="panel panel-body mb-4 no-print" aria-label="Periode">
      <input type="hidden" name="type" value={list.dataType} />
      <div className="fields-row">
        <DateField
          name="fra"
          id="fra"
          label="Fra"
          defaultValue={fields.from}
          key={`fra ${fields.from}`}
          error={errors.from}
        />
        <DateField
          name="til"
          id="til"
          label="Til"
          defaultValue={fields.to}
          key={`til ${fields.to}`}
          error={errors.to}
        />
        <Button type="submit" variant="primary">
          Vis
        </Button>
        {choices.map(({ label, href, isCurrent }) => (
          <a
            key={label}
            href={href}
            aria-current={isCurrent ? "true" : undefined}
            className="mx-2 py-2 current:font-semibold current:text-ink"
          >
            {label}
          </a>
        ))}
      </div>
    </form>
  );
}
