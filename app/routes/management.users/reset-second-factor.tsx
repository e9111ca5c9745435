import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import type { Here } from "~/components/directory-list/directory-list";
import { useButtonState } from "~/http/forms/use-button-state";
import { useHasAnswer, useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField } from "~/ui/forms/password-field";
import type { OpenUser } from "./present";

const FORM = "resetUserSecondFactor";

/** 'Nulstil totrinslogin' for a lost phone. */
export function ResetSecondFactor({ user, here }: { user: OpenUser; here: Here }) {
  const { form, fields, summary } = useServerForm<{ currentPassword: string }>(FORM);
  return (
    <details open={useHasAnswer(FORM)} className="pt-4 border-t border-line">
      <summary>Nulstil totrinslogin</summary>
      <ActionForm
        operation={FORM}
        showsErrors
        action={here({})}
        preventScrollReset
        {...getFormProps(form)}
        className="stack mt-3"
      >
        <ErrorSummary {...summary("Totrinslogin er ikke nulstillet.")} />
        <p className="meta">
          Når {user.name} har mistet sin telefon. Koderne virker ikke mere, {user.firstName} bliver logget ud og får
          besked på mail. Sørg for, at det er {user.firstName}, der beder om det.
        </p>
        <PasswordField
          field={fields.currentPassword}
          label="Din egen adgangskode"
          autoComplete="current-password"
          required
          width={20}
        />
        <div className="row">
          <Button name="intent" value={FORM} variant="danger" state={useButtonState(FORM)}>
            Nulstil totrinslogin
          </Button>
        </div>
      </ActionForm>
    </details>
  );
}
