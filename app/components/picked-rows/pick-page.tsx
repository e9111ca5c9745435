import { RowCheckbox } from "~/ui/forms/choices";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { isAllPicked, usePicked } from "./use-picked";

/** 'Vælg alle på siden', in the head of the boxes' column; with JavaScript only. */
export function PickPage() {
  const { picked, pickAll } = usePicked();
  if (!useHydrated()) return <span className="sr-only">Vælg</span>;
  const isAll = isAllPicked(picked);
  return <RowCheckbox label="Vælg alle på siden" checked={isAll} onChange={() => pickAll(!isAll)} />;
}
