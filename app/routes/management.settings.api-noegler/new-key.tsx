import { useEffect, useRef, useState } from "react";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";

/** A new key, shown only once. */
export function NewKey({ name, token }: { name: string; token: string }) {
  const hydrated = useHydrated();
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  const copy = () => {
    field.current?.select();
    // Without clipboard access the key is selected for copying by hand.
    const done = navigator.clipboard?.writeText(token) ?? Promise.reject(new Error("no clipboard"));
    done.then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <section aria-labelledby="ny-noegle" className="panel panel-body stack-s">
      <h2 id="ny-noegle" ref={heading} tabIndex={-1}>
        Nøglen '{name}' er oprettet
      </h2>
      <p>
        Kopiér nøglen nu, og gem den i det andet system. <b>Den vises kun denne ene gang.</b>
      </p>
      <div>
        <label htmlFor="noegle" className="block mb-1 font-semibold">
          API-nøgle
        </label>
        <textarea
          id="noegle"
          ref={field}
          rows={2}
          className="input tabular-nums break-all"
          readOnly
          value={token}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div className="row">
        {hydrated && (
          <Button type="button" variant="primary" onClick={copy}>
            {isCopied ? "Kopieret" : "Kopiér"}
          </Button>
        )}
        <ButtonLink to={paths.apiKeys()}>Jeg har gemt nøglen</ButtonLink>
        <span className="sr-only" role="status">
          {isCopied ? "Nøglen er kopieret" : ""}
        </span>
      </div>
      <p className="meta">
        Systemet sender den i hvert kald: <code>Authorization: Bearer hp_…</code>. Kaldene er beskrevet i{" "}
        <code>/api/openapi.json</code>.
      </p>
    </section>
  );
}
