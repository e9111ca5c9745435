import { Link } from "@remix-run/react";
import type { Here } from "~/components/directory-list/directory-list";
import { likenessWords, type Likeness } from "~/features/merging/merge-words";
import { picksParam } from "~/features/merging/merge-form";

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
