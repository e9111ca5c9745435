import type { ActionResult } from "~/http/forms/action-result";
import { DefaultIntent } from "~/ui/forms/button";
import { ErrorNotice, Notice } from "~/ui/feedback/notice";
import { TextField } from "~/ui/forms/fields";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { CodeForm, typedOf, SupportLine } from "~/components/sign-in/code-form";
import { confirmSignIn, readSignIn, signOutForOpener } from "~/features/accounts/operations.server";
import { confirmExternalBinding } from "~/features/accounts/external-sign-in.server";
import { forgotPassword } from "~/features/accounts/passwords.server";
import { NO_MAIL } from "~/features/accounts/password";
import { sealPendingForm } from "~/features/accounts/sealed-input.server";
import { signIn, signInAsDemo } from "~/features/accounts/sign-in.server";
import { runCommand, type PageOf, runPage } from "~/http/runners/page.server";
import { externalSignInPath } from "~/paths";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { PublicPage } from "~/ui/public/public-page";

/** The sealed sign-in step of the page; null while the password is needed. */
function codeStep(answer: ActionResult | undefined): string | null {
  if (typeof answer?.data?.step === "string") return answer.data.step;
  if (answer?.formId !== "confirmSignIn" || answer.refusal === "signInExpired") return null;
  return typedOf(answer).step ?? null;
}

interface ForgotFormProps {
  answer: ActionResult | undefined;
  query: URLSearchParams;
  supportEmail: string;
  canMail: boolean;
}

function ForgotForm({ answer, query, supportEmail, canMail }: ForgotFormProps) {
  const back = (
    <p>
      <a href="/login">Tilbage til log ind</a>
    </p>
  );
  if (answer?.data?.sent === true) {
    return (
      <>
        <h1>Glemt adgangskode</h1>
        <Notice kind="success" live>
          {answer.data.isAddress === true
            ? "Hvis e-mailadressen hører til en profil, har vi sendt en mail med et link, hvor du kan vælge en ny adgangskode. Linket virker i to timer."
            : "Vi har sendt en mail med et link, hvor du kan vælge en ny adgangskode. Linket virker i to timer."}
        </Notice>
        {back}
      </>
    );
  }
  if (!canMail)
    return (
      <>
        <h1>Glemt adgangskode</h1>
        <Notice kind="warn">{NO_MAIL}</Notice>
        {back}
      </>
    );
  const errors = answer?.submission?.error ?? {};
  const isUnknown = answer?.refusal === "accountUnknown";
  const typed = (answer?.submission?.initialValue ?? {}) as Record<string, string | undefined>;
  return (
    <form method="post" action="/login?glemt=1" noValidate>
      <DefaultIntent value="forgotPassword" />
      <h1>Glemt adgangskode</h1>
      <p>Skriv dit brugernavn eller din e-mail, så sender vi et link til din e-mail.</p>
      {errors[""] && (
        <Notice kind={isUnknown ? "info" : "error"} live>
          {errors[""].join(" ")} {isUnknown && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
        </Notice>
      )}
      <TextField
        name="userName"
        label="Brugernavn eller e-mail"
        autoComplete="username"
        autoCapitalize="none"
        defaultValue={typed.userName ?? query.get("userName") ?? ""}
        error={errors.userName ?? undefined}
      />
      <p>
        <button
          className={errors[""] && !isUnknown ? "btn btn-primary btn-failure" : "btn btn-primary"}
          name="intent"
          value="forgotPassword"
        >
          Send
        </button>
      </p>
      {back}
    </form>
  );
}

function Providers({ providers, to }: { providers: PageOf<typeof readSignIn>["providers"]; to: string | null }) {
  const query = to ? `?to=${encodeURIComponent(to)}` : "";
  return (
    <>
      {providers.map(({ group, label }) => (
        <p key={group}>
          <a href={externalSignInPath(group) + query} className="btn btn-primary">
            {label}
          </a>
        </p>
      ))}
    </>
  );
}

function LeftProvider({ query }: { query: URLSearchParams }) {
  const left = (["staff", "referrers"] as const).find((group) => group === query.get("ud"));
  if (left === undefined) return null;
  return (
    <Notice kind="info">
      Du er logget ud af portalen, men måske ikke der, hvor du loggede ind.{" "}
      <a href={`${externalSignInPath(left)}?ud=1`}>Log ud der også</a>
    </Notice>
  );
}

function DemoDoor({ accounts, patients }: NonNullable<PageOf<typeof readSignIn>["demo"]>) {
  const [first, ...others] = patients;
  return (
    <section className="demo">
      <p>Prøveportal med opdigtede patienter. Vælg, hvem du vil være:</p>
      {accounts.map(({ userName, title, name, task }) => (
        <form key={userName} method="post" action="/login">
          <input type="hidden" name="account" value={userName} />
          <button className="btn" name="intent" value="signInAsDemo">
            <b>{title}</b>
            <span>
              {name} – {task}
            </span>
          </button>
        </form>
      ))}
      {first && (
        <details>
          <summary>
            Prøv CPR <b>{first.cpr}</b> i Henvis · {others.length} andre
          </summary>
          <ul>
            {others.map(({ cpr, name }) => (
              <li key={cpr}>
                {cpr} {name}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

interface SignInFormProps {
  answer: ActionResult | undefined;
  query: URLSearchParams;
}

function SignInForm({ answer, query }: SignInFormProps) {
  const submission = answer?.formId === "signIn" ? answer.submission : null;
  const isLost = answer?.data?.sealed === null;
  const refusedInput = answer && !submission ? answer.submission?.error?.[""] : undefined;
  const typed = (submission?.initialValue ?? {}) as Record<string, string | undefined>;
  const errors = submission?.error ?? {};
  // Error shown when the second-factor step has expired.
  const carried = answer?.submission?.initialValue?.sealed as string | undefined;
  const sealed = (answer?.data?.sealed as string | undefined) ?? carried;
  const to = query.get("to") ?? typed.to;
  return (
    <form method="post" action={to ? `/login?to=${encodeURIComponent(to)}` : "/login"} noValidate>
      <DefaultIntent value="signIn" />
      <h1>Log ind</h1>
      {sealed && !errors[""] && (
        <Notice kind="info">Du er blevet logget ud. Log ind igen, så får du det, du skrev, tilbage.</Notice>
      )}
      {isLost && <Notice kind="warn">Din session er slut. Log ind igen. Det, du skrev, kunne ikke bevares.</Notice>}
      {refusedInput && <Notice kind="error">{refusedInput.join(" ")}</Notice>}
      {query.has("skiftet") && !submission && (
        <Notice kind="success">Din adgangskode er blevet ændret. Log ind med den nye.</Notice>
      )}
      <ErrorNotice texts={errors[""]} />
      {to && <input type="hidden" name="to" value={to} />}
      {sealed && <input type="hidden" name="sealed" value={sealed} />}
      <TextField
        name="userName"
        label="Brugernavn"
        autoComplete="username"
        autoCapitalize="none"
        defaultValue={typed.userName ?? query.get("userName") ?? ""}
        error={errors.userName ?? undefined}
      />
      <TextField
        name="password"
        label="Adgangskode"
        type="password"
        autoComplete="current-password"
        error={errors.password ?? undefined}
      />
      <p>
        <button className={errors[""] ? "btn btn-primary btn-failure" : "btn btn-primary"} name="intent" value="signIn">
          Log ind
        </button>
      </p>
      <p>
        <a href="/login?glemt=1">Glemt adgangskode?</a>
      </p>
    </form>
  );
}

export const handle = { plain: true };

export const meta = pageTitle((_params, query) => (query.has("glemt") ? "Glemt adgangskode" : "Log ind"));

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readSignIn, { to: new URL(args.request.url).searchParams.get("to") });

/** A form whose session expired arrives here by 307 with its own intent; its text is kept. */
export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    signIn,
    signInAsDemo,
    confirmSignIn,
    confirmExternalBinding,
    forgotPassword,
    signOutForOpener,
    "*": sealPendingForm,
  });

export default function Login() {
  const settings = usePublicSettings();
  const { canMail, providers, hasPassword, demo } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const answer = useActionData<typeof action>();
  if (!settings) return null;
  const { productName, clinicName, supportEmail, supportPhone, registerUrl } = settings;
  const step = codeStep(answer);
  const asksForLink = hasPassword && (query.has("glemt") || answer?.formId === "forgotPassword");
  return (
    <PublicPage
      clinic={clinicName}
      signIn={{ product: productName, about: "For henvisende tandlæger, tandlægesekretærer og klinikkens personale." }}
    >
      {step !== null ? (
        <CodeForm step={step} answer={answer} to={query.get("to")} />
      ) : asksForLink ? (
        <ForgotForm answer={answer} query={query} supportEmail={supportEmail} canMail={canMail} />
      ) : (
        <>
          {!hasPassword && <h1>Log ind</h1>}
          {!hasPassword && <ErrorNotice texts={answer?.submission?.error?.[""]} />}
          <LeftProvider query={query} />
          {hasPassword && <SignInForm answer={answer} query={query} />}
          {hasPassword && providers.length > 0 && <p className="meta">Eller</p>}
          <Providers providers={providers} to={query.get("to")} />
          {demo && hasPassword && <DemoDoor {...demo} />}
        </>
      )}
      <hr />
      {step === null && (
        <p>
          Ny henviser?{" "}
          {registerUrl ? <a href={registerUrl}>Opret dig som henviser</a> : <>Skriv til support, så opretter vi dig.</>}
        </p>
      )}
      <SupportLine email={supportEmail} phone={supportPhone} />
    </PublicPage>
  );
}
