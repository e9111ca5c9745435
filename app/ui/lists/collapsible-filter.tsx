import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";

/** Open without JavaScript; with JavaScript a narrow screen sees the list first. */
function foldOnPhones(panel: HTMLDetailsElement | null) {
  if (panel && window.matchMedia("(max-width: 1159px)").matches && !panel.querySelector(".field-bad"))
    panel.open = false;
}

export interface FilterFoldProps {
  /** What is filtered by, in words. */
  active: readonly string[];
  /** Folded on desks too. */
  isFolded?: boolean;
  isOpen?: boolean;
  children: ReactNode;
}

/** A list's filter, which folds to one line that says what is active on phones. Give it a `key` of the filter, so that a new one folds again. */
export function CollapsibleFilter({ active, isFolded, isOpen = !isFolded, children }: FilterFoldProps) {
  return (
    <details
      className={classNames("panel filter [&>form]:pt-1 print:hidden", !isFolded && "desk:[&>form]:pt-4")}
      open={isOpen}
      ref={foldOnPhones}
    >
      <summary
        className={classNames("flex items-center min-h-12 px-4 no-marker [&>*+*]:ml-2", !isFolded && "desk:hidden")}
      >
        <Icon name="filter" />
        <b>Filtre</b> <span className="meta cut">{active.join(" · ") || "Standard"}</span>
        <Icon name="down" className="push [[open]>summary>&]:[transform:rotate(180deg)]" />
      </summary>
      <h2 className="vh">Filtre</h2>
      {children}
    </details>
  );
}
