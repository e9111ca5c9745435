import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useSearchParams } from "@remix-run/react";
import { passwordHint } from "~/features/accounts/password";
import { readPublicSettings } from "~/features/accounts/operations.server";
import { resetPassword } from "~/features/accounts/passwords.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { linkToken } from "~/text/link-token";
import { DefaultIntent } from "~/ui/forms/button";
import { Notice } from "~/ui/feedback/notice";
import { PublicPage } from "~/ui/public/public-page";
import { TextField } from "~/ui/forms/fields";
import { SupportLine } from "~/components/sign-in/code-form";

export const handle = { plain: true };

export const meta = pageTitle("Ny adgangskode");

export const loader = (args: LoaderFunctionArgs) => runPage(args, readPublicSettings, { saveData: false });

export const action = (args: ActionFunctionArgs) => runCommand(args, { resetPassword });

export default function ResetPassword() {
  const settings = usePublicSettings();
  const [query] = useSearchParams();
  const answer = useActionData<typeof action>();
  const errors: Record<string, string[] | null | undefined> = answer?.submission?.error ?? {};
  const formErrors = errors.newPassword || errors.repeatPassword ? undefined : errors[""];
  if (!settings) return null;
  const { productName, clinicName, supportEmail, supportPhone } = settings;
  return (
    <PublicPage
      clinic={clinicName}
      signIn={{ product: productName, about: "For henvisende tandlæger, tandlægesekretærer og klinikkens personale." }}
    >
      <form method="post" noValidate>
        <DefaultIntent value="resetPassword" />
        <h1>Vælg ny adgangskode</h1>
        {formErrors && (
          <Notice kind="error" live>
            {formErrors.join(" ")}{" "}
            {answer?.refusal === "tokenInvalid" && <a href="/login?glemt=1">Glemt adgangskode?</a>}
          </Notice>
        )}
        <input type="hidden" name="userName" value={query.get("userName") ?? ""} />
        <input type="hidden" name="token" value={linkToken(query, "token")} />
        <TextField
          name="newPassword"
          label="Ny adgangskode"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
          error={errors.newPassword ?? undefined}
        />
        <TextField
          name="repeatPassword"
          label="Gentag adgangskoden"
          type="password"
          autoComplete="new-password"
          error={errors.repeatPassword ?? undefined}
        />
        <p>
          <button
            className={answer?.submission?.status === "error" ? "btn btn-primary btn-failure" : "btn btn-primary"}
            name="intent"
            value="resetPassword"
          >
            Gem adgangskode
          </button>
        </p>
        <p>
          <a href="/login">Tilbage til log ind</a>
        </p>
      </form>
      <hr />
      <SupportLine email={supportEmail} phone={supportPhone} />
    </PublicPage>
  );
}
