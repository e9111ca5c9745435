import { type ReactNode, useState } from "react";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { classNames } from "~/ui/layout/class-names";
import { FoldOnPhones } from "~/ui/layout/early-scripts";
import { Icon } from "~/ui/icons/icon";

function foldOnPhones(panel: HTMLDetailsElement | null) {
  if (panel && window.matchMedia("(max-width: 1159px)").matches) panel.open = false;
}

export interface CollapsibleFilterProps {
  active: readonly string[];
  isFolded?: boolean;
  hasError?: boolean;
  children: ReactNode;
}

/**
 * A list's filter, open without JavaScript; with it folded on narrow screens to a line of active filters. Give it the
 * filter as `key`, so that a new one folds again.
 */
export function CollapsibleFilter({ active, isFolded = false, hasError = false, children }: CollapsibleFilterProps) {
  // A server-rendered page is folded before the first paint.
  const [isDrawnByScript] = useState(useHydrated());
  return (
    <details
      className={classNames("panel filter [&>form]:pt-1 print:hidden", !isFolded && "desk:[&>form]:pt-2")}
      open={!isFolded || hasError}
      ref={isDrawnByScript && !hasError ? foldOnPhones : undefined}
    >
      <summary
        className={classNames(
          "flex items-center min-h-12 table:min-h-10 px-4 no-marker [&>*+*]:ml-2",
          !isFolded && "desk:hidden",
        )}
      >
        <Icon name="filter" />
        <b>Filtre</b> <span className="meta truncate">{active.join(" · ") || "Standard"}</span>
        <Icon name="down" className="push [[open]>summary>&]:[transform:rotate(180deg)]" />
      </summary>
      <h2 className="sr-only">Filtre</h2>
      {children}
      {!isDrawnByScript && !hasError && <FoldOnPhones />}
    </details>
  );
}
