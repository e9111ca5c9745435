import { showDay } from "~/text/dates";
import { type ActiveFilter, type FilterDefinition, type Named } from "./filters";

type Definitions = Readonly<Record<string, FilterDefinition<any>>>;

export const presentFilter = <A extends ActiveFilter>(
  definitions: Definitions,
  { filter, active }: { filter: object; active: A[] },
  statuses: Named[] = [],
) => ({
  fields: fieldsOf(definitions, filter),
  active: active.map((each) => ({ ...each, text: filterText(definitions[each.key]!, each, statuses) })),
});

/** Values of the panel's fields without statuses; a checkbox is `on`, a CPR number in two boxes. */
export function fieldsOf(definitions: Definitions, filter: object): Record<string, string> {
  const texts = Object.entries(filter).flatMap(([key, value]) => {
    const { control } = definitions[key]!;
    if (value === undefined || control === "statuses") return [];
    if (control === "cpr")
      return [
        ["cpr6", String(value).slice(0, 6)],
        ["cpr4", String(value).slice(7)],
      ];
    return [
      [key, value === true ? "on" : control === "date" || control === "link" ? showDay(String(value)) : String(value)],
    ];
  });
  return Object.fromEntries(texts) as Record<string, string>;
}

function filterText(
  { label, control, choices }: FilterDefinition<any>,
  { value, name }: ActiveFilter,
  statuses: Named[],
): string {
  switch (control) {
    case "box":
      return label;
    case "number":
      return `${label} ${String(value)}`;
    case "date":
    case "link":
      return value === true ? label : `${label} ${showDay(String(value))}`;
    case "choice":
      return `${label}: ${choices?.find((choice) => choice.value === value)?.label ?? String(value)}`;
    case "clinic":
    case "surgeon":
    case "referrer":
      return `${label}: ${name ?? `nr. ${String(value)}`}`;
    case "statuses": {
      const chosen = value as number[];
      const one = chosen.length === 1 && statuses.find((status) => status.value === chosen[0]);
      return `${label}: ${one ? one.label : `${chosen.length} valgt`}`;
    }
    default:
      return `${label}: ${String(value)}`;
  }
}
