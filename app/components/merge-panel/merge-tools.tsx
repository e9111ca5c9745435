import { Link, useLocation } from "@remix-run/react";
import type { Here } from "~/lists/list";
import { withParam } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { type Likeness, likenessWords, picksIn, picksParam } from "~/features/merging/merge-words";
import type { Column } from "~/components/list/data-table";
import { useUpcomingQuery } from "~/ui/hooks/use-upcoming-query";
import { Icon } from "~/ui/icons/icon";
import { Verbatim } from "~/ui/layout/translation";
import { Notice } from "~/ui/feedback/notice";
import { ActionForm } from "~/http/forms/action-form";

interface MergeToolsProps {
  picks: number[];
  what: string;
  path: string;
  here: Here;
}

export function MergeTools({ picks, what, path, here }: MergeToolsProps) {
  const { search } = useLocation();
  if (picks.length === 0) return null;
  const label = `Fusioner ${what} (${picks.length})`;
  return (
    <>
      <ButtonLink to={here({ valgt: null })} variant="plain" preventScrollReset data-discards>
        Fortryd Fusioneringen
      </ButtonLink>
      {picks.length === 1 ? (
        <>
          <span className="meta">Vælg mindst én til.</span>
          <Button type="button" icon="merge" disabled>
            {label}
          </Button>
        </>
      ) : (
        <ButtonLink
          to={`${path}?${withParam(search.slice(1), "valgt", picksParam(picks)!)}`}
          icon="merge"
          preventScrollReset
        >
          {label}
        </ButtonLink>
      )}
    </>
  );
}

interface MergeMarkProps {
  row: { id: number; name: string; pick: "picked" | "possible" | null };
  picks: number[];
  here: Here;
}

function MergeMark({ row, picks: shown, here }: MergeMarkProps) {
  const upcoming = useUpcomingQuery();
  const picks = upcoming ? picksIn(upcoming.get("valgt")) : shown;
  if (row.pick === null) return null;
  const isPicked = picks.includes(row.id);
  const next = isPicked ? picks.filter((id) => id !== row.id) : [...picks, row.id];
  return (
    <Link
      className="mark"
      to={`${here({ valgt: picksParam(next) })}#r${row.id}`}
      preventScrollReset
      aria-pressed={isPicked}
      role="button"
    >
      <Icon name={isPicked ? "picked" : "merge"} />
      <span className="sr-only">
        {isPicked ? "Fravælg" : "Vælg"} <Verbatim>{row.name}</Verbatim> til fusionering
      </span>
    </Link>
  );
}

export const mergeColumn = <Row extends MergeMarkProps["row"]>(picks: number[], here: Here): Column<Row> => ({
  label: "Fusioner",
  className: "c-merge",
  cell: (row) => <MergeMark row={row} picks={picks} here={here} />,
});

export function NothingToMerge({ closeTo }: { closeTo: string }) {
  return (
    <Notice
      kind="warn"
      className="mb-4"
      action={
        <ButtonLink to={closeTo} variant="plain" size="small">
          Luk
        </ButtonLink>
      }
    >
      Vælg mindst to i listen, der kan fusioneres: de må ikke være samlet med en anden allerede, og brugere skal have en
      klinik til fælles.
    </Notice>
  );
}

interface DuplicateSuggestionsProps {
  id: number;
  title: string;
  others: { id: number; knownAs: string; why: Likeness }[];
  here: Here;
}

export function DuplicateSuggestions({ id, title, others, here }: DuplicateSuggestionsProps) {
  if (others.length === 0) return null;
  return (
    <section className="mt-4" aria-labelledby="ligner">
      <h3 id="ligner" className="mb-2">
        {title}
      </h3>
      <ul className="divide-y divide-line">
        {others.map((other) => (
          <li key={other.id} className="py-1">
            <Link
              to={here({ valgt: picksParam([id, other.id]), aaben: null })}
              className="inline-flex items-center min-h-11 table:min-h-8 break-anywhere"
            >
              Vælg {other.knownAs} til fusionering
            </Link>
            <span className="meta block">{likenessWords[other.why]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export interface ShownMerge {
  id: number;
  text: string;
  undone: string | null;
  left: string[];
  mayUndo: boolean;
}

export function MergeHistory({ merges, here }: { merges: ShownMerge[]; here: Here }) {
  if (merges.length === 0) return null;
  return (
    <section className="mt-4" aria-labelledby="fusioneringer">
      <h3 id="fusioneringer" className="mb-2">
        Fusioneringer
      </h3>
      <ul className="divide-y divide-line">
        {merges.map((merge) => (
          <li key={merge.id} className="py-2">
            <p className="break-anywhere">{merge.text}</p>
            {merge.undone && <p className="meta">{merge.undone}</p>}
            {merge.left.length > 0 && (
              <>
                <p className="meta mt-1">Ændret siden, og derfor ikke flyttet tilbage:</p>
                <ul className="meta list-disc pl-5">
                  {merge.left.map((line) => (
                    <li key={line} className="break-anywhere">
                      {line}
                    </li>
                  ))}
                </ul>
              </>
            )}
            {merge.mayUndo && (
              <ActionForm
                operation="undoMerge"
                item={`runId:${merge.id}`}
                place={`undoMerge-${merge.id}`}
                action={here({})}
                preventScrollReset
                className="mt-1"
              >
                <Button value="undoMerge" size="small" icon="undo">
                  Fortryd fusioneringen
                </Button>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
