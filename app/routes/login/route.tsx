import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { forgotPassword } from "~/features/accounts/forgot-password.server";
import { readSignIn } from "~/features/accounts/redirect-to-start.server";
import { sealPendingForm } from "~/features/accounts/sealed-input.server";
import { confirmSignIn } from "~/features/accounts/confirm-sign-in.server";
import { signOutForOpener } from "~/features/accounts/sign-out.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { PublicPage } from "~/ui/public/public-page";
import { CodeForm, codeStep } from "./code-form";
import { ForgotForm } from "./forgot-form";
import { SignInForm } from "./sign-in-form";
import { SupportLine } from "~/components/sign-in/support-line";

export const handle = { plain: true };

export const meta = pageTitle((_params, query) => (query.has("glemt") ? "Glemt adgangskode" : "Log ind"));

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readSignIn, { to: new URL(args.request.url).searchParams.get("to") });

/** A form whose session expired arrives here by 307 with its own intent; its text is kept. */
export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { signIn, confirmSignIn, forgotPassword, signOutForOpener, "*": sealPendingForm });

export default function Login() {
  const settings = usePublicSettings();
  const { canMail } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const answer = useActionData<typeof action>();
  if (!settings) return null;
  const { productName, clinicName, supportEmail, supportPhone, registerUrl } = settings;
  const step = codeStep(answer);
  const asksForLink = query.has("glemt") || answer?.formId === "forgotPassword";
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
        <SignInForm answer={answer} query={query} />
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
