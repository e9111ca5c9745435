import { RowCheckbox } from "~/ui/forms/choices";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { isAllPicked, usePicked } from "./use-picked";

export function PickPage() {
  const { picked, pickAll } = usePicked();
  if (!useHydrated()) return <span className="sr-only">Vælg</span>;
  const isAll = isAllPicked(picked);
  return <RowCheckbox label="Vælg alle på siden" checked={isAll} onChange={() => pickAll(!isAll)} />;
}
