import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, type ShouldRevalidateFunctionArgs, useLoaderData } from "@remix-run/react";
import { createApiKey } from "~/features/api-keys/create-api-key.server";
import { readApiKeys } from "~/features/api-keys/read-api-keys.server";
import { revokeApiKey } from "~/features/api-keys/revoke-api-key.server";
import type { ActionResult } from "~/http/forms/action-result";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { useActionResult } from "~/http/forms/use-action-result";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { StateText } from "~/ui/lists/chip";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { KeyForm } from "./key-form";
import { NewKey } from "./new-key";
import { presentKey, type ShownKey } from "./present";
import { RevokeQuestion } from "./revoke-question";
import { Verbatim } from "~/ui/layout/translation";

export const meta = pageTitle("API-nøgler");

export const handle = { pageForm: () => "createApiKey" } satisfies PageFormHandle;

/** A new key is returned in the answer and also appears in the list. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
  (args.actionResult as ActionResult | undefined)?.data?.token === undefined
    ? afterChanges(args)
    : args.defaultShouldRevalidate;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readApiKeys,
    { revoke: new URL(args.request.url).searchParams.get("tilbagekald") },
    {
      forms: { createApiKey },
      subject: ({ question }) => (question === null ? {} : { fields: { keyId: question.id } }),
    },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { createApiKey, revokeApiKey });

const columns: PlainColumn<ShownKey>[] = [
  {
    label: "Navn",
    isVerbatim: true,
    cell: ({ name, hint }) => (
      <div>
        <b className="break-anywhere">{name}</b>
        <span className="meta block">{hint}</span>
      </div>
    ),
  },
  {
    label: "Må",
    cell: ({ scopes, limits }) => (
      <div>
        {scopes}
        <span className="meta block break-anywhere">{limits}</span>
      </div>
    ),
  },
  { label: "Klinik", isVerbatim: true, cell: ({ reach }) => reach },
  {
    label: "Lavet af",
    cell: ({ maker, userName }) => (
      <div>
        <Verbatim>{maker}</Verbatim>
        <span className="meta block break-anywhere">
          skriver som <Verbatim>{userName}</Verbatim>
        </span>
      </div>
    ),
  },
  { label: "Udløber", cell: ({ expires }) => <time dateTime={expires.iso}>{expires.text}</time> },
  {
    label: "Sidst brugt",
    cell: ({ lastUsed }) => (lastUsed ? <time dateTime={lastUsed.iso}>{lastUsed.text}</time> : "Aldrig"),
  },
  { label: "Tilstand", cell: ({ state }) => <StateText state={state} /> },
  {
    label: "Tilbagekald",
    cell: ({ id, name, canRevoke }) =>
      canRevoke && (
        <Link
          to={paths.apiKeys(id)}
          preventScrollReset
          className="text-err inline-flex items-center min-h-11 table:min-h-8"
          aria-label={`Tilbagekald: ${name}`}
        >
          Tilbagekald
        </Link>
      ),
  },
];

export default function ApiKeys() {
  const { keys, clinics, question } = useLoaderData<typeof loader>();
  const made = useActionResult("createApiKey")?.data as { token?: string; name?: string } | undefined;
  return (
    <div className="stack">
      {question && <RevokeQuestion {...question} />}
      {made?.token && <NewKey name={made.name ?? ""} token={made.token} />}
      <section aria-labelledby="noegler">
        <h2 id="noegler" className="mb-2">
          API-nøgler
        </h2>
        {keys.length === 0 ? (
          <p className="meta">Der er ingen nøgler endnu. En nøgle lader et andet system kalde portalens API.</p>
        ) : (
          <PlainTable caption="API-nøgler" wide columns={columns} rows={keys.map(presentKey)} keyOf={({ id }) => id} />
        )}
      </section>
      {!made?.token && <KeyForm clinics={clinics} />}
    </div>
  );
}
