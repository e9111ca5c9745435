import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readAccount } from "~/features/shell/read-shell.server";
import { type ApiError, type ApiField, presentApi, type ShownCall } from "~/http/api/present-api.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import styles from "~/styles/tailwind.css";
import { Disclosure } from "~/ui/layout/disclosure";
import { PlainTable } from "~/ui/lists/plain-table";

export const handle = { noScript: true };

export const meta = pageTitle("API");

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

/** For those who may read the OpenAPI document: it asks the same operation. */
export const loader = async (args: LoaderFunctionArgs) => {
  await runPage(args, readAccount);
  return json(presentApi(args.context.portal.config.adminOrigin));
};

const columns = [
  { label: "Navn", isVerbatim: true as const, cell: ({ name }: ApiField) => <code className="break-all">{name}</code> },
  { label: "Indhold", cell: ({ type }: ApiField) => type },
  { label: "Skal med", cell: ({ isRequired }: ApiField) => (isRequired ? "Ja" : "Nej") },
];
const answerColumns = columns.slice(0, 2);

const errorColumns = [
  { label: "Kode", cell: ({ status }: ApiError) => status },
  {
    label: "Betyder",
    cell: ({ description }: ApiError) => (
      <span lang="en" className="break-anywhere">
        {description}
      </span>
    ),
  },
];

interface FieldsProps {
  title: string;
  call: ShownCall;
  rows: readonly ApiField[];
  isAnswer?: true;
}

function Fields({ title, call, rows, isAnswer }: FieldsProps) {
  if (rows.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <PlainTable
        caption={`${title}, ${call.method} ${call.path}`}
        columns={isAnswer ? answerColumns : columns}
        rows={rows}
        keyOf={({ name }) => name}
      />
    </>
  );
}

function Call({ call }: { call: ShownCall }) {
  return (
    <Disclosure
      line
      id={call.id}
      title={
        <code translate="no">
          {call.method} {call.path}
        </code>
      }
      note={call.access}
    >
      <div className="stack">
        <p lang="en">{call.summary}.</p>
        <Fields title="Parametre" call={call} rows={call.parameters} />
        <Fields title="Indhold" call={call} rows={call.body} />
        <p>
          <b>Svar:</b> {call.answerType}
        </p>
        <Fields title="Svarets felter" call={call} rows={call.answer} isAnswer />
        <pre className="card lined" translate="no">
          {call.example}
        </pre>
      </div>
    </Disclosure>
  );
}

export default function ApiDocs() {
  const { errors, groups } = useLoaderData<typeof loader>();
  const settings = usePublicSettings();
  return (
    <main className="page stack">
      <h1>{settings?.productName}: API</h1>
      <p>
        <a href={paths.management}>Til portalen</a> · <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1)
      </p>
      <nav aria-label="Emner" lang="en">
        {groups.map(({ name }, index) => (
          <a key={name} href={`#emne-${index}`} className="inline-block py-1 mr-4">
            {name}
          </a>
        ))}
      </nav>
      <section className="panel panel-body stack">
        <h2>To måder at logge ind på</h2>
        <p>
          <b>Andre systemer</b> sender en nøgle i hvert kald: <code>Authorization: Bearer hp_…</code>. Nøgler laves
          under Indstillinger, API-nøgler, hvor det også står, hvad hver af dem må.
        </p>
        <p>
          <b>Personer</b> bruger den session, som de får ved <code>POST /Account/SignIn</code> eller på login-siden.
          Kald, der ændrer noget, skal komme fra portalens egen adresse (<code>Origin</code>).
        </p>
        <p>
          <code>If-Match</code> nævner den udgave, man har set (<code>ETag</code>); uden den vinder den sidste.{" "}
          <code>Idempotency-Key</code> (8 til 64 bogstaver, tal, - og _) gør, at det samme kald to gange kun udføres én
          gang. En API-nøgle, der bruger alle sine kald i minuttet, får 429.
        </p>
      </section>
      <section className="panel panel-body">
        <h2>Fejl</h2>
        <p>
          Svaret er <code>{'{"message": "…", "errors": {"felt": ["…"]}}'}</code> med en af disse koder.
        </p>
        <PlainTable caption="Fejl" columns={errorColumns} rows={errors} keyOf={({ status }) => status} />
      </section>
      {groups.map(({ name, calls }, index) => (
        <section key={name} id={`emne-${index}`} className="panel panel-body" aria-label={name} lang="en">
          <h2>{name}</h2>
          <div lang="da">
            {calls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}
