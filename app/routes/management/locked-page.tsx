import { useEffect, useRef } from "react";
import { discardAll } from "~/http/forms/unsaved-forms";
import { otherPersonText } from "~/text/other-person";
import { Button } from "~/ui/forms/button";
import { Verbatim } from "~/ui/layout/translation";

interface LockedPageProps {
  opener: string;
  present: string;
}

/** Replaces a page whose owner is not signed in; their text is kept behind it. */
export function LockedPage({ opener, present }: LockedPageProps) {
  const part = useRef<HTMLElement>(null);
  useEffect(() => {
    part.current?.focus();
    // Keeps keys from the page behind.
    const keep = (event: KeyboardEvent) => {
      if (!part.current?.contains(event.target as Node)) event.stopPropagation();
    };
    window.addEventListener("keydown", keep, true);
    return () => window.removeEventListener("keydown", keep, true);
  }, []);
  const loadAnew = () => {
    discardAll();
    location.reload();
  };
  return (
    <main ref={part} className="page" tabIndex={-1} aria-labelledby="locked-title">
      <section className="panel p-5 max-w-[640px] stack">
        <div role="alert">
          <h1 id="locked-title">Siden er låst</h1>
          <p>{otherPersonText(opener, present)}</p>
        </div>
        <p>
          Det, der blev skrevet her, vises igen, når <Verbatim>{opener}</Verbatim> logger ind i et andet vindue. Det går
          tabt, hvis siden hentes på ny.
        </p>
        <p>
          <Button type="button" variant="primary" onClick={loadAnew}>
            Hent siden som <Verbatim>{present}</Verbatim>
          </Button>
        </p>
      </section>
    </main>
  );
}
