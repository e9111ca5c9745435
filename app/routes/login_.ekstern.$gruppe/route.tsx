import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BindingForm } from "~/components/sign-in/binding-form";
import { CodeForm, SupportLine } from "~/components/sign-in/code-form";
import { runExternalSignIn } from "~/http/runners/identity-provider.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { PublicPage } from "~/ui/public/public-page";

export const handle = { plain: true };

export const meta = pageTitle("Log ind");

export const loader = (args: LoaderFunctionArgs) => runExternalSignIn(args);

export default function ExternalSignIn() {
  const settings = usePublicSettings();
  const { step, binding, failure } = useLoaderData<typeof loader>();
  if (!settings) return null;
  const { productName, clinicName, supportEmail, supportPhone } = settings;
  return (
    <PublicPage
      clinic={clinicName}
      signIn={{ product: productName, about: "For henvisende tandlæger, tandlægesekretærer og klinikkens personale." }}
    >
      {binding !== null ? (
        <BindingForm {...binding} />
      ) : step === null ? (
        <>
          <h1>Log ind</h1>
          <Notice kind="error" live>
            {failure}
          </Notice>
          <p>
            <a href={paths.login} className="btn btn-primary">
              Tilbage til log ind
            </a>
          </p>
        </>
      ) : (
        <CodeForm step={step} answer={undefined} to={null} />
      )}
      <hr />
      <SupportLine email={supportEmail} phone={supportPhone} />
    </PublicPage>
  );
}
