import type { ActionResult } from "~/http/forms/action-result";
import { DefaultIntent } from "~/ui/forms/button";
import { ErrorNotice } from "~/ui/feedback/notice";
import { TextField } from "~/ui/forms/fields";
import { Verbatim } from "~/ui/layout/translation";

export const typedOf = (answer: ActionResult | undefined) =>
  (answer?.submission?.initialValue ?? {}) as Record<string, string | undefined>;

interface CodeFormProps {
  step: string;
  answer: ActionResult | undefined;
  to: string | null;
}

export function CodeForm({ step, answer, to }: CodeFormProps) {
  const errors = answer?.submission?.error ?? {};
  const { sealed, isRecoveryCode } = typedOf(answer);
  const wasRecoveryCode = isRecoveryCode === "1";
  const action = to ? `/login?to=${encodeURIComponent(to)}` : "/login";
  const wrong = errors.code ?? undefined;
  const hidden = (
    <>
      <DefaultIntent value="confirmSignIn" />
      <input type="hidden" name="step" value={step} />
      {sealed && <input type="hidden" name="sealed" value={sealed} />}
    </>
  );
  const buttonClass = (failed: boolean) => (failed ? "btn btn-primary btn-failure" : "btn btn-primary");
  return (
    <>
      <p className="meta">Trin 2 af 2</p>
      <h1>Bekræft, at det er dig</h1>
      <ErrorNotice texts={wrong ? null : errors[""]} />
      <form method="post" action={action} noValidate>
        {hidden}
        <p>Åbn din kode-app, og skriv de seks cifre.</p>
        <TextField
          name="code"
          label="Engangskode"
          hint="Koden skifter hvert 30. sekund."
          inputMode="numeric"
          autoComplete="one-time-code"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has this one task
          autoFocus={!wasRecoveryCode}
          error={wasRecoveryCode ? undefined : wrong}
        />
        <p>
          <button className={buttonClass(!!wrong && !wasRecoveryCode)} name="intent" value="confirmSignIn">
            Log ind
          </button>
        </p>
      </form>
      <hr />
      <details open={wasRecoveryCode}>
        <summary>Har du ikke telefonen? Brug en gendannelseskode</summary>
        <form method="post" action={action} noValidate>
          {hidden}
          <input type="hidden" name="isRecoveryCode" value="1" />
          <TextField
            name="code"
            id="recovery-code"
            label="Gendannelseskode"
            hint="En af de ti, du gemte. Hver virker én gang."
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            error={wasRecoveryCode ? wrong : undefined}
          />
          <p>
            <button className={buttonClass(!!wrong && wasRecoveryCode)} name="intent" value="confirmSignIn">
              Log ind med gendannelseskode
            </button>
          </p>
        </form>
      </details>
      <p>
        Ikke dig? <a href="/login">Log ind som en anden</a>
      </p>
    </>
  );
}

export function SupportLine({ email, phone }: { email: string; phone: string }) {
  return (
    <p className="meta">
      Hjælp:{" "}
      <Verbatim>
        <a href={`mailto:${email}`}>{email}</a> · {phone.replace(/ /g, "\u00a0")}
      </Verbatim>
    </p>
  );
}
