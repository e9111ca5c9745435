import { getFormProps } from "@conform-to/react";
import { Link, useSearchParams } from "@remix-run/react";
import { type FocusEvent, type FormEvent, useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { passwordErrors, passwordHint, passwordsDiffer } from "~/features/accounts/password";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/feedback/notice";
import { FormPart } from "~/ui/layout/page";
import { PasswordField } from "~/ui/forms/password-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";

interface Passwords extends Record<string, string> {
  currentPassword: string;
  newPassword: string;
  repeatPassword: string;
}

/** With JavaScript the button waits until the passwords are valid. */
export function PasswordForm() {
  const { form, fields, summary, wasRefused } = useServerForm<Passwords>("changePassword", {
    guarded: "path",
  });
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const [isValid, setValid] = useState(false);
  const [isRepeatWrong, setRepeatWrong] = useState(false);
  const state = useButtonState("changePassword");
  const check = (event: FormEvent<HTMLFormElement>) => {
    const { currentPassword, newPassword, repeatPassword } = passwordsIn(event.currentTarget);
    setValid(currentPassword !== "" && passwordErrors(newPassword).length === 0 && newPassword === repeatPassword);
    // A correct beginning is no mistake while typing.
    setRepeatWrong(!newPassword.startsWith(repeatPassword));
  };
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
    // A line appearing above a button being pressed would move it away.
    if (relatedTarget?.matches("button:active") || !currentTarget.form) return;
    const { newPassword, repeatPassword } = passwordsIn(currentTarget.form);
    setRepeatWrong(repeatPassword !== "" && newPassword !== repeatPassword);
  };
  if (query.has("skiftet") && !wasRefused) {
    return (
      <section className="panel panel-body stack-s" aria-label="Adgangskode">
        <Notice kind="success" live>
          Din adgangskode er blevet ændret
        </Notice>
        <Link to={paths.profile} className={buttonClass()}>
          ÆNDRE PASSWORD
        </Link>
      </section>
    );
  }
  return (
    <ActionForm
      operation="changePassword"
      showsErrors
      action={paths.profile}
      {...getFormProps(form)}
      className="panel panel-body"
      onChange={check}
    >
      <FormPart title="ÆNDRE PASSWORD" hint={passwordHint}>
        <ErrorSummary {...summary()} title="Adgangskoden er ikke ændret." />
        <PasswordField field={fields.currentPassword} label="Nuværende adgangskode" autoComplete="current-password" />
        <PasswordField field={fields.newPassword} label="Ny adgangskode" autoComplete="new-password" />
        <PasswordField
          field={fields.repeatPassword}
          {...(isRepeatWrong ? { error: passwordsDiffer } : {})}
          label="Gentag adgangskoden"
          autoComplete="new-password"
          onBlur={leave}
        />
        <Button
          name="intent"
          value="changePassword"
          variant="primary"
          disabled={hydrated && !isValid && state !== "working"}
          state={state}
        >
          ÆNDRE PASSWORD
        </Button>
      </FormPart>
    </ActionForm>
  );
}

function passwordsIn(form: HTMLFormElement): Passwords {
  const typed = new FormData(form);
  const text = (name: keyof Passwords & string) => String(typed.get(name) ?? "");
  return {
    currentPassword: text("currentPassword"),
    newPassword: text("newPassword"),
    repeatPassword: text("repeatPassword"),
  };
}
