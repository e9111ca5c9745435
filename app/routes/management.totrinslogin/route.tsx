import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { SetUp } from "~/components/second-factor/set-up";
import { sealFormUntilAccepted } from "~/features/accounts/operations.server";
import {
  readSecondFactorPage,
  activateSecondFactor,
  beginSecondFactor,
  checkSecondFactor,
} from "~/features/account-security/operations.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { card } from "~/ui/feedback/dialog";

export const meta = pageTitle("Slå totrinslogin til");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readSecondFactorPage,
    { to: new URL(args.request.url).searchParams.get("to") },
    { forms: { beginSecondFactor, checkSecondFactor } },
  );

/** A form sent before this step arrives here by 307 with its own intent; its text is kept. */
export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    beginSecondFactor,
    checkSecondFactor,
    activateSecondFactor,
    "*": sealFormUntilAccepted,
  });

export default function SetUpSecondFactor() {
  const { userName, setUp, to } = useLoaderData<typeof loader>();
  return (
    <section className={card} aria-labelledby="totrinslogin">
      <h1 id="totrinslogin">Slå totrinslogin til</h1>
      <p>
        Klinikken kræver, at du logger ind med din adgangskode og en kode fra en app på din telefon. Sæt det op, før du
        går videre.
      </p>
      <div className="mt-4">
        <SetUp userName={userName} setUp={setUp} onTo={to} begin="Begynd" />
      </div>
    </section>
  );
}
