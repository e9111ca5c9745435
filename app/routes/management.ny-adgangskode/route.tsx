import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { chooseOwnPassword, readOwnPasswordPage } from "~/features/accounts/passwords.server";
import { sealFormUntilAccepted } from "~/features/accounts/operations.server";
import { passwordHint } from "~/features/accounts/password";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { card } from "~/ui/feedback/dialog";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField } from "~/ui/forms/fields";

export const meta = pageTitle("Vælg din egen adgangskode");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readOwnPasswordPage,
    { to: new URL(args.request.url).searchParams.get("to") },
    { forms: { chooseOwnPassword } },
  );

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
      <ActionForm operation="chooseOwnPassword" of={form} className="stack mt-4">
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
        <IntentButton value="chooseOwnPassword" variant="primary">
          Gem adgangskode
        </IntentButton>
      </ActionForm>
    </section>
  );
}
