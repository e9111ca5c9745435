import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readReceipt } from "~/features/referrals/wizard/read-wizard.server";
import { keepPage } from "~/http/forms/keep-page";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/forms/button";
import { SummaryList } from "~/ui/lists/summary-list";
import { useFocusOnStepChange } from "~/ui/hooks/use-focus-on-step-change";
import { presentReceipt } from "./present";

export const meta = pageTitle("Tak for din henvisning");

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readReceipt, { referralId: new URL(args.request.url).searchParams.get("nr") });

export const clientLoader = keepPage;

/** The confirmation with the referral's number and a summary to print. */
export default function VisitSent() {
  const { receipt: values } = useLoaderData<typeof loader>();
  const receipt = values && presentReceipt(values);
  const heading = useFocusOnStepChange<HTMLHeadingElement>("receipt");
  return (
    <section className="panel panel-body stack">
      <h1 tabIndex={-1} ref={heading}>
        TAK FOR DIN HENVISNING
      </h1>
      {receipt && (
        <>
          <p>Klinikken har modtaget henvisningen. Du kan følge den i oversigten.</p>
          <SummaryList
            facts={[
              { label: "Nr.", value: receipt.id },
              { label: "Patient", value: receipt.name },
              { label: "Sendt", value: receipt.sentOn },
              {
                label: "Ønsket behandling",
                value: <span className="lined">{receipt.desiredTreatment}</span>,
                wide: true,
              },
            ]}
          />
        </>
      )}
      <div className="row no-print">
        <ButtonLink to={paths.wizard} variant="primary" icon="plus">
          Lav en ny henvisning
        </ButtonLink>
        {receipt && (
          <>
            <ButtonLink to={paths.referral(receipt.id)}>Se henvisningen</ButtonLink>
            <ButtonLink to={paths.referralPdf(receipt.id)} reloadDocument target="_blank" icon="print" variant="plain">
              Udskriv
            </ButtonLink>
          </>
        )}
      </div>
    </section>
  );
}
