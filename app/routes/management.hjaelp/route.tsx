import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { readHelp } from "~/features/help/read-help.server";
import { type PageOf, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import helpStyles from "~/styles/help.css";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Button } from "~/ui/forms/button";
import { TextField } from "~/ui/forms/fields";
import { Tabs } from "~/ui/layout/tabs";
import { Verbatim } from "~/ui/layout/translation";

type Help = PageOf<typeof readHelp>;

export const meta = pageTitle("Hjælp");

export const links: LinksFunction = () => [{ rel: "stylesheet", href: helpStyles }];

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(args, readHelp, { guide: query.get("vis") ?? "", search: query.get("q") ?? "" });
};

export { clientLoader } from "~/http/forms/client-page";

const guideAt = (id: string) => `${paths.help}?vis=${id}`;

function Found({ found, search }: Pick<Help, "found" | "search">) {
  if (found.length === 0)
    return (
      <EmptyState
        title={`Ingen steder i hjælpen nævner »${search}«.`}
        why="Prøv et kortere ord, eller spørg support."
        action={<a href={paths.help}>Vis hele hjælpen</a>}
      />
    );
  return (
    <>
      <p aria-live="polite">
        <b>{found.length === 1 ? "1 sted" : `${found.length} steder`}</b> nævner »{search}«.{" "}
        <a href={paths.help}>Vis hele hjælpen</a>
      </p>
      {found.map(({ guide, guideTitle, id, title, html }) => (
        <section key={`${guide}-${id}`} className="panel panel-body guide-found mt-3">
          <h2>
            <a href={`${guideAt(guide)}#${id}`}>{title}</a> <span className="meta font-normal">{guideTitle}</span>
          </h2>
          <div className="guide" dangerouslySetInnerHTML={{ __html: html }} />
        </section>
      ))}
    </>
  );
}

function GuideText({ guide }: { guide: NonNullable<Help["shown"]> }) {
  return (
    <div className="guide-columns">
      <nav aria-label="Indhold" className="guide-contents">
        {guide.chapters.map(({ title, sections }) => (
          <ul key={title}>
            {sections.map(({ id, title: heading, level }) => (
              <li key={id} className={level === 2 && sections.length > 1 ? "chapter" : undefined}>
                <a href={`#${id}`}>{heading}</a>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <article className="panel panel-body guide">
        {guide.chapters.flatMap(({ sections }) =>
          sections.map(({ id, title, level, html }) => (
            <section key={id} id={id}>
              {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
              <div dangerouslySetInnerHTML={{ __html: html }} />
            </section>
          )),
        )}
      </article>
    </div>
  );
}

export default function HelpPage() {
  const { guides, shown, found, search } = useLoaderData<Help>();
  const { supportEmail, supportPhone } = usePublicSettings() ?? {};
  return (
    <>
      <div className="page-head">
        <h1>Hjælp</h1>
        <p className="meta">
          Support: <Verbatim>{`${supportEmail} · ${supportPhone}`}</Verbatim>
        </p>
      </div>
      <Form action={paths.help} role="search" aria-label="I hjælpen" className="row mb-2 no-print">
        <TextField
          name="q"
          key={search}
          label="Søg i hjælpen"
          labelHidden
          placeholder="Søg i hjælpen, fx afbud"
          defaultValue={search}
          maxLength={100}
          width={20}
        />
        <Button>Søg</Button>
      </Form>
      {guides.length > 1 && (
        <Tabs
          label="Vejledninger"
          tabs={guides.map(({ id, title }) => ({ to: guideAt(id), label: title, current: id === shown?.id }))}
        />
      )}
      <div className="mt-3">{shown ? <GuideText guide={shown} /> : <Found found={found} search={search} />}</div>
    </>
  );
}
