import { useMemo, useRef } from "react";
import { joinCprBoxes, parseCpr } from "~/text/cpr";

/** The CPR number a form's text belongs to: the last complete one in its boxes; null before. */
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
