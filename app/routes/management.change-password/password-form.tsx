import { Form, Link, useNavigation, useSearchParams } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { passwordFaults, passwordHint } from "~/features/accounts/password";
import { usePortalForm } from "~/http/use-portal-form";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { Notice } from "~/ui/notice";
import { FormPart } from "~/ui/page";
import { PasswordField } from "~/ui/text-field";
import { useHydrated } from "~/ui/use-hydrated";

interface Passwords extends Record<string, string> {
  currentPassword: string;
  newPassword: string;
  repeatPassword: string;
}

/** By script the button waits until the passwords are valid; without it the server says what is wrong. */
export function PasswordForm() {
  const { field, faults, formErrors, wasRefused } = usePortalForm<Passwords>("changePassword");
  const navigation = useNavigation();
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const [isValid, setValid] = useState(false);
  const [isEdited, setEdited] = useState(false);
  const isSaving = navigation.formData?.get("intent") === "changePassword";
  const check = (event: FormEvent<HTMLFormElement>) => {
    const typed = new FormData(event.currentTarget);
    const [current, next, repeat] = ["currentPassword", "newPassword", "repeatPassword"].map((name) => String(typed.get(name) ?? ""));
    setValid(current !== "" && passwordFaults(next!).length === 0 && next === repeat);
    setEdited(true);
  };
  if (query.has("skiftet") && !wasRefused) {
    return (
      <section className="panel panel-body stack-s" aria-label="Adgangskode">
        <Notice kind="success" live>
          Din adgangskode er blevet ændret
        </Notice>
        <Link to={paths.profile} className="btn btn-outline">
          ÆNDRE PASSWORD
        </Link>
      </section>
    );
  }
  return (
    <Form method="post" action={paths.profile} className="panel panel-body" noValidate onChange={check} onSubmit={() => setEdited(false)}>
      <FormPart title="ÆNDRE PASSWORD" hint={passwordHint}>
        <ErrorSummary errors={faults.length > 0 ? faults : formErrors.map((text) => ({ text }))} title="Adgangskoden er ikke ændret." />
        <PasswordField {...field("currentPassword")} label="Nuværende adgangskode" autoComplete="current-password" required />
        <PasswordField {...field("newPassword")} label="Ny adgangskode" autoComplete="new-password" required />
        <PasswordField {...field("repeatPassword")} label="Gentag adgangskoden" autoComplete="new-password" required />
        <Button
          name="intent"
          value="changePassword"
          variant="primary"
          disabled={hydrated && !isValid && !isSaving}
          state={isSaving ? "working" : wasRefused && !isEdited ? "failure" : "ready"}
        >
          ÆNDRE PASSWORD
        </Button>
      </FormPart>
    </Form>
  );
}
