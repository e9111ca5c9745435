import { useLocation } from "@remix-run/react";
import type { Here } from "~/components/directory-list/directory-list";
import { withParam } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { picksParam } from "~/features/merging/merge-form";

interface MergeToolsProps {
  picks: number[];
  /** The subject in the definite plural: 'profilerne', 'klinikkerne'. */
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
