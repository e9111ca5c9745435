import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import {
  keyLives,
  scopeChoices,
  scopeWords,
  STANDARD_CALLS_A_MINUTE,
  STANDARD_LIFE_DAYS,
} from "~/features/api-keys/scope-words";
import { Button, ButtonLink } from "~/ui/forms/button";
import { ChoicePicker } from "~/ui/forms/choice-picker";
import { CheckboxGroup, RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField, SelectField, TextArea, TextField } from "~/ui/forms/fields";
import { FormPart } from "~/ui/layout/page";
import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { Link, type ShouldRevalidateFunctionArgs, useLoaderData } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { createApiKey, readApiKeys, revokeApiKey } from "~/features/api-keys/operations.server";
import type { ActionResult } from "~/http/forms/action-result";
import { shouldRevalidate as afterChanges } from "~/http/forms/client-page";
import type { PageFormHandle } from "~/http/forms/page-form";
import { useActionResult, useFormErrors } from "~/http/forms/use-action-result";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showDate, showDateTime, showShortDateTime } from "~/text/dates";
import { showCount } from "~/text/numbers";
import { DialogPage } from "~/ui/feedback/dialog";
import { ErrorNotice } from "~/ui/feedback/notice";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Verbatim } from "~/ui/layout/translation";
import { StateText } from "~/ui/lists/chip";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";

const labels = {
  name: "Navn",
  scopes: "Nøglen må",
  reach: "Henvisninger",
  clinicId: "Klinik",
  userName: "Skriver som (brugernavn)",
  lifeDays: "Gælder i",
  callsPerMinute: "Kald i minuttet, højst",
  addresses: "Kun fra disse adresser",
  currentPassword: "Din adgangskode",
};

interface KeyFormProps {
  clinics: { value: number; label: string }[];
}

function KeyForm({ clinics }: KeyFormProps) {
  const { form, fields, summary } = useServerForm<typeof labels>("createApiKey", {
    labels,
    firstInput: { reach: "createApiKey-reach-first" },
    defaultValue: {
      reach: "all",
      lifeDays: String(STANDARD_LIFE_DAYS),
      callsPerMinute: String(STANDARD_CALLS_A_MINUTE),
    },
  });
  return (
    <section aria-labelledby="opret-noegle">
      <h2 id="opret-noegle" className="mt-6 mb-2">
        Opret nøgle
      </h2>
      <ActionForm operation="createApiKey" preventScrollReset of={form} className="panel panel-body">
        <ErrorSummary {...summary("Nøglen er ikke oprettet.")} />
        <FormPart
          title="Hvad"
          hint="Ingen nøgle kan se brugere, indstillinger, eksport eller logs, eller skrive til patienter."
        >
          <TextField
            field={fields.name}
            label={labels.name}
            hint="Det andet systems navn. Det står i loggen ved hvert kald."
            autoComplete="off"
          />
          <CheckboxGroup field={fields.scopes} label={labels.scopes} choices={scopeChoices} />
          <TextField
            field={fields.userName}
            label={labels.userName}
            hint="Kun til Henvise og Beskeder: det, som systemet skriver, står i denne persons navn."
            autoComplete="off"
          />
        </FormPart>
        <FormPart title="Hvor" hint="Andre klinikkers henvisninger findes ikke for nøglen.">
          <RadioGroup
            field={fields.reach}
            label={labels.reach}
            choices={[
              { value: "all", label: "Alle klinikker" },
              { value: "clinic", label: "Én klinik" },
            ]}
          />
          <ChoicePicker field={fields.clinicId} label={labels.clinicId} empty="Vælg" choices={clinics} />
          <TextArea
            field={fields.addresses}
            label={labels.addresses}
            hint="IP-adresser eller netværk, én på hver linje. Tomt felt: alle adresser."
            rows={3}
          />
        </FormPart>
        <FormPart title="Hvor længe og hvor meget">
          <SelectField field={fields.lifeDays} label={labels.lifeDays} choices={keyLives} />
          <TextField
            field={fields.callsPerMinute}
            label={labels.callsPerMinute}
            width={6}
            inputMode="numeric"
            autoComplete="off"
          />
          <PasswordField
            field={fields.currentPassword}
            label={labels.currentPassword}
            autoComplete="current-password"
            required
            width={20}
          />
          <IntentButton value="createApiKey" variant="primary">
            Opret nøgle
          </IntentButton>
        </FormPart>
      </ActionForm>
    </section>
  );
}

function NewKey({ name, token }: { name: string; token: string }) {
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
        Nøglen »{name}« er oprettet
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
        Systemet sender den i hvert kald: <code>Authorization: Bearer hp_…</code>.
      </p>
    </section>
  );
}

type Key = SerializeFrom<typeof loader>["keys"][number];
type ShownKey = ReturnType<typeof presentKey>;

const states = {
  active: { label: "Aktiv", tone: "ok", icon: "done" },
  expired: { label: "Udløbet", tone: "closed", icon: "clock" },
  revoked: { label: "Tilbagekaldt", tone: "err", icon: "failed" },
} as const;

const presentKey = (key: Key) => ({
  id: key.id,
  name: key.name,
  hint: `${key.hint}…`,
  scopes: key.scopes.map((scope) => scopeWords[scope].label).join(", "),
  reach: key.clinicName ?? "Alle klinikker",
  maker: key.maker,
  userName: key.userName,
  limits: [
    `${showCount(key.callsPerMinute)} kald i minuttet`,
    ...(key.addresses.length > 0 ? [`kun fra ${key.addresses.join(", ")}`] : []),
  ].join(", "),
  expires: { iso: key.expiresAt, text: showDate(key.expiresAt) },
  lastUsed: key.lastUsedAt === null ? null : { iso: key.lastUsedAt, text: showShortDateTime(key.lastUsedAt) },
  state: states[key.state],
  canRevoke: key.state !== "revoked",
});

const FORM = "revokeApiKey";

interface RevokeQuestionProps {
  name: string;
  lastUsedAt: string | null;
}

function RevokeQuestion({ name, lastUsedAt }: RevokeQuestionProps) {
  const errors = useFormErrors(FORM);
  return (
    <DialogPage title={`Tilbagekald »${name}«?`} closeTo={paths.apiKeys()}>
      <div className="stack-s">
        <ErrorNotice texts={errors} />
        <p>
          Systemet, der bruger nøglen, bliver afvist fra næste kald. Det kan ikke fortrydes; en ny nøgle kan oprettes.
        </p>
        <p className="meta">
          {lastUsedAt === null ? "Nøglen er ikke brugt endnu." : `Sidst brugt ${showDateTime(lastUsedAt)}.`}
        </p>
        <ActionForm operation={FORM} showsErrors className="row" preventScrollReset>
          <IntentButton value={FORM} variant="danger">
            Tilbagekald nøglen
          </IntentButton>
          <ButtonLink to={paths.apiKeys()} preventScrollReset variant="plain">
            Annuller
          </ButtonLink>
        </ActionForm>
      </div>
    </DialogPage>
  );
}

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

export { clientAction, clientLoader } from "~/http/forms/client-page";

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
        <p className="meta mb-2">
          Hvad et andet system kan kalde, og hvordan:{" "}
          <a href="/api/docs" target="_blank" rel="noreferrer">
            beskrivelse af API'et
          </a>
          .
        </p>
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
