import { Link } from "@remix-run/react";
import { Button, ButtonLink } from "~/ui/forms/button";
import { gridOf, resultCell } from "./grid";
import type { MergePanelProps } from "./merge-panel";
import type { MergeColumn } from "./merge-values";

interface PanelHeadProps extends Pick<MergePanelProps, "columns" | "resultTitle" | "without" | "allOfTo"> {
  keep: MergeColumn;
  /** Present with JavaScript; without it a link does the same. */
  chooseAll: ((index: number) => void) | undefined;
}

export function PanelHead({ columns, resultTitle, without, allOfTo, keep, chooseAll }: PanelHeadProps) {
  return (
    <div className={gridOf(columns)}>
      <span className="hidden table:block" />
      {columns.map((column, index) => (
        <div key={column.id} className="px-4 py-3">
          <b className="block break-anywhere">{column.name}</b>
          <span className="meta block">{column.note}</span>
          <div className="row mt-1">
            {chooseAll ? (
              <Button type="button" size="small" onClick={() => chooseAll(index)}>
                Klik alle af<span className="sr-only"> hos {column.knownAs}</span>
              </Button>
            ) : (
              <ButtonLink to={allOfTo(column.id)} size="small">
                Klik alle af<span className="sr-only"> hos {column.knownAs}</span>
              </ButtonLink>
            )}
            <Link
              to={without(column.id)}
              preventScrollReset
              data-discards
              className="inline-flex items-center min-h-11"
            >
              Fjern<span className="sr-only"> {column.knownAs}</span>
            </Link>
          </div>
        </div>
      ))}
      <div className={resultCell}>
        <b className="block">{resultTitle}</b>
        <span className="meta">Beholdes som {keep.knownAs}</span>
      </div>
    </div>
  );
}
