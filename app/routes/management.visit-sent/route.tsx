import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AwaitingNotice } from "~/components/radiograph-upload/awaiting-notice";
import { FilesUnderWay } from "./files-under-way";
import { cancelUpload, setUploadType } from "~/features/referrals/images/upload-radiograph.server";
import { readReceiptPage } from "~/features/wizard-page/read-receipt-page.server";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import uploadStyles from "~/styles/uploads.css";
import { ButtonLink } from "~/ui/forms/button";
import { useFocusOnStepChange } from "~/ui/hooks/use-focus-on-step-change";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { SummaryList } from "~/ui/lists/summary-list";
import { classNames } from "~/ui/layout/class-names";
import { presentReceipt } from "./present";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: uploadStyles }];

export const shouldRevalidate = afterChanges;

export const meta = pageTitle("Din henvisning");

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readReceiptPage,
    { referralId: new URL(args.request.url).searchParams.get("nr") },
    { subject: ({ awaiting }) => (awaiting === null ? {} : { fields: { referralId: awaiting.id } }) },
  );

export const clientLoader = keepPageOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { cancelUpload, setUploadType });

/**
 * Confirmation with number, next steps and printable summary. Says so if the referral is a draft, since Back leads here
 * after the sending was withdrawn.
 */
export default function VisitSent() {
  const page = useLoaderData<typeof loader>();
  const receipt = page.receipt && presentReceipt(page.receipt, page.usualWaits);
  const { awaiting, draft, uploads } = page;
  const id = receipt?.id ?? awaiting?.id;
  const heading = useFocusOnStepChange<HTMLHeadingElement>("receipt");
  return (
    <section className="panel panel-body stack">
      <div
        className={classNames(
          receipt ? "tone-ok" : awaiting ? "tone-info" : "tone-warn",
          "flex items-start -mx-4 -mt-4 px-4 py-5 rounded-t-panel bg-ground text-tone print:bg-transparent print:text-ink",
        )}
      >
        <InlineIcon name={receipt ? "done" : awaiting ? "info" : "warning"} size={32} className="flex-none mr-3" />
        <div>
          <h1 tabIndex={-1} ref={heading}>
            {receipt
              ? "TAK FOR DIN HENVISNING"
              : awaiting
                ? "HENVISNINGEN VENTER PÅ FILER"
                : draft
                  ? `Kladde nr. ${draft.id} er ikke sendt`
                  : "Henvisningen findes ikke"}
          </h1>
          {receipt && (
            <p className="m-0 text-ink">
              Klinikken har modtaget henvisning nr. {receipt.id} den {receipt.sentOn}.
            </p>
          )}
          {draft && (
            <p className="m-0 text-ink">
              Klinikken har ikke modtaget henvisningen for {draft.name}. Fortsæt kladden, og tryk Send henvisning.
            </p>
          )}
          {awaiting && (
            <p className="m-0 text-ink">
              Henvisning nr. {awaiting.id} for {awaiting.name} er ikke sendt endnu.
            </p>
          )}
        </div>
      </div>
      {awaiting && <AwaitingNotice referralId={awaiting.id} files={awaiting.files} dueAt={awaiting.dueAt} />}
      {uploads && id !== undefined && <FilesUnderWay referralId={id} files={uploads} />}
      {receipt && <Summary receipt={receipt} />}
      <div className="row no-print">
        {draft && (
          <ButtonLink to={paths.openInWizard(draft.id)} variant="primary" icon="edit">
            Fortsæt kladden
          </ButtonLink>
        )}
        <ButtonLink to={paths.wizard} variant={draft ? undefined : "primary"} icon="plus">
          Lav en ny henvisning
        </ButtonLink>
        {receipt && (
          <>
            <ButtonLink to={paths.samePatient(receipt.id)}>Ny henvisning for samme patient</ButtonLink>
            <ButtonLink to={paths.referral(receipt.id)}>Se henvisningen</ButtonLink>
            <ButtonLink to={paths.referralPdf(receipt.id)} reloadDocument target="_blank" icon="print" variant="plain">
              Udskriv
            </ButtonLink>
          </>
        )}
        {awaiting && <ButtonLink to={paths.wizardStep(awaiting.id, 3)}>Se kladden</ButtonLink>}
      </div>
    </section>
  );
}

function Summary({ receipt }: { receipt: ReturnType<typeof presentReceipt> }) {
  return (
    <>
      <SummaryList
        facts={[
          { label: "Patient", value: receipt.name, wide: true },
          {
            label: "Ønsket behandling",
            value: <span className="lined">{receipt.desiredTreatment}</span>,
            wide: true,
            isProse: true,
          },
        ]}
      />
      <div>
        <h2 className="text-base mb-2">Det sker nu</h2>
        <ol className="pl-5 [&>li]:mb-1.5 list-decimal">
          {receipt.next.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ol>
      </div>
    </>
  );
}
