import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { getFormProps } from "@conform-to/react";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { ActionForm, useButtonState, useServerForm } from "~/http/forms/action-form";
import { chooseOwnPassword, readOwnPasswordPage } from "~/features/accounts/passwords.server";
import { sealFormUntilAccepted } from "~/features/accounts/operations.server";
import { passwordHint } from "~/features/accounts/password";
import { keepFormOnNetworkError, keepPageOnNetworkError, afterChanges } from "~/http/forms/client-page";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { card } from "~/ui/feedback/dialog";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField } from "~/ui/forms/fields";

export const meta = pageTitle("Vælg din egen adgangskode");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readOwnPasswordPage,
    { to: new URL(args.request.url).searchParams.get("to") },
    { forms: { chooseOwnPassword } },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

/** A form sent before the password was changed arrives here by 307 with its own intent; its text is kept. */
export const action = (args: ActionFunctionArgs) => runCommand(args, { chooseOwnPassword, "*": sealFormUntilAccepted });

export default function OwnPassword() {
  const { userName } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const { form, fields, summary } = useServerForm<{ newPassword: string; repeatPassword: string }>("chooseOwnPassword");
  return (
    <section className={card} aria-labelledby="ny-adgangskode">
      <h1 id="ny-adgangskode">Vælg din egen adgangskode</h1>
      <p>En anden har valgt den adgangskode, du loggede ind med. Vælg din egen, før du går videre.</p>
      <ActionForm operation="chooseOwnPassword" showsErrors {...getFormProps(form)} className="stack mt-4">
        <input type="hidden" name="to" value={query.get("to") ?? ""} />
        <input type="text" name="userName" value={userName} autoComplete="username" readOnly hidden />
        <ErrorSummary {...summary("Adgangskoden er ikke ændret.")} />
        <PasswordField
          field={fields.newPassword}
          label="Ny adgangskode"
          hint={passwordHint}
          autoComplete="new-password"
        />
        <PasswordField field={fields.repeatPassword} label="Gentag adgangskoden" autoComplete="new-password" />
        <Button name="intent" value="chooseOwnPassword" variant="primary" state={useButtonState("chooseOwnPassword")}>
          Gem adgangskode
        </Button>
      </ActionForm>
    </section>
  );
}
