import { useActionData, useSearchParams } from "@remix-run/react";
import type { ActionResult } from "~/http/forms/action-result";
import { usePublicSettings } from "~/http/use-public-settings";
import { linkToken } from "~/text/link-token";
import { DefaultIntent } from "~/ui/forms/button";
import { ErrorNotice, Notice } from "~/ui/feedback/notice";

const INTENT = "requestNewLink";

/** Shown for every invalid link alike. A new link goes only to an address that the clinic already has. */
export function ExpiredLink({ purpose }: { purpose: "radiographLink" | "letterFilesLink" }) {
  const [query] = useSearchParams();
  const errors = useActionData<ActionResult>()?.submission?.error?.[""];
  const email = usePublicSettings()?.supportEmail ?? "";
  if (query.has("bedt"))
    return (
      <>
        <h1>Tak</h1>
        <Notice kind="success" live>
          Er linket et af vores, og er det udløbet, får du et nyt på SMS eller i e-Boks inden for få minutter. Du kan
          bede om et nyt link én gang i døgnet. Har vi sendt dig et nyere link, kommer der ikke et til: brug det nyeste,
          du har fået.
        </Notice>
        <Contact email={email} />
      </>
    );
  const token = linkToken(query);
  if (!token)
    return (
      <>
        <h1>Linket mangler</h1>
        <p>Åbn siden med linket i den besked, du har fået.</p>
        <Contact email={email} />
      </>
    );
  return (
    <>
      <h1>Linket er udløbet</h1>
      <ErrorNotice texts={errors} />
      <p role="alert">
        Vi beklager, at linket ikke virker længere. Kontakt os på mail: <a href={`mailto:${email}`}>{email}</a>, hvis du
        ønsker at få et nyt link.
      </p>
      <p>Har du fået et nyere link fra os på SMS eller i e-Boks, er det det, der virker.</p>
      <form method="post">
        <DefaultIntent value={INTENT} />
        <input type="hidden" name="purpose" value={purpose} />
        <input type="hidden" name="token" value={token} />
        <button className="btn btn-primary" name="intent" value={INTENT}>
          Send mig et nyt link
        </button>
      </form>
      <p className="hint">
        Det nye link sendes til det mobilnummer, som klinikken kender i forvejen, eller til din e-Boks.
      </p>
    </>
  );
}

const Contact = ({ email }: { email: string }) => (
  <p>
    Går det ikke, så skriv til <a href={`mailto:${email}`}>{email}</a>.
  </p>
);

export const WhereFilesGo = () => (
  <p className="meta">Bemærk filerne gemmes i appen Arkiver på iPhone, og appen Downloads på android.</p>
);

export const NoFiles = ({ email, what }: { email: string; what: "røntgen" | "brevet" }) => (
  <p role="status">
    Filer er ikke længere tilgængelige. Kontakt venligst vores support afdeling på mail:{" "}
    <a href={`mailto:${email}`}>{email}</a>, hvis du ønsker at få {what} tilsendt igen.
  </p>
);
