import type { ActionResult } from "~/http/forms/action-result";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { Notice } from "~/ui/feedback/notice";
import { TextField } from "~/ui/forms/text-field";

interface SignInFormProps {
  answer: ActionResult | undefined;
  query: URLSearchParams;
}

export function SignInForm({ answer, query }: SignInFormProps) {
  const submission = answer?.formId === "signIn" ? answer.submission : null;
  // A forwarded form whose owner is unknown.
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
      {errors[""] && (
        <Notice kind="error" live>
          {errors[""].join(" ")}
        </Notice>
      )}
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
