import { useMemo, useRef } from "react";
import { joinCprBoxes, parseCpr } from "~/text/cpr";

/** The CPR number that what stands in a form belongs to: the last whole one that stood in its boxes; null until there was one. */
export interface FormOwner {
  cpr(): string | null;
  belongsTo(cpr: string): void;
}

export function useFormOwner(opened: { cpr6?: string; cpr4?: string } | null): FormOwner {
  const number = useRef(parseCpr(joinCprBoxes(opened?.cpr6 ?? "", opened?.cpr4 ?? "")));
  return useMemo(
    () => ({
      cpr: () => number.current,
      belongsTo: (cpr) => {
        number.current = cpr;
      },
    }),
    [],
  );
}
