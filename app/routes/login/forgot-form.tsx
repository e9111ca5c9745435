import { NO_MAIL } from "~/features/accounts/password";
import type { ActionResult } from "~/http/forms/action-result";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { Notice } from "~/ui/feedback/notice";
import { TextField } from "~/ui/forms/text-field";

interface ForgotFormProps {
  answer: ActionResult | undefined;
  query: URLSearchParams;
  supportEmail: string;
  canMail: boolean;
}

/** Requests a password link; replaced by a message once sent. */
export function ForgotForm({ answer, query, supportEmail, canMail }: ForgotFormProps) {
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
  // An unknown account is information, anything else an error.
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
