import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { UrgentNotice } from "~/components/portal-text/urgent-notice";
import { AwaitingNotice, NOTHING_UNDER_WAY } from "~/components/radiograph-upload/file-list";
import {
  UnfinishedLine,
  type UnfinishedUpload,
  type UnpackedArchive,
  type WholeUpload,
} from "~/components/radiograph-upload/radiograph-lines";
import { SkippedFiles } from "~/components/radiograph-upload/picker";
import { UploadPart } from "~/components/radiograph-upload/upload-part";
import { UploadNotices } from "~/components/radiograph-upload/upload-status";
import { cancelUpload, setUploadType } from "~/features/referrals/images/upload-radiograph.server";
import { awaitedText, awaitingText } from "~/features/referrals/model/missing-texts";
import { callTypes, labelOf, radiographsSendTypes } from "~/features/referrals/model/referral";
import { usualWaitText } from "~/features/statistics/usual-wait-text";
import { readReceiptPage } from "./data.server";
import { askWhoIsSignedIn, isLocked } from "~/http/forms/document-person";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import uploadStyles from "~/styles/uploads.css";
import { showDateTime } from "~/text/dates";
import { ButtonLink } from "~/ui/forms/button";
import { onReturn } from "~/ui/hooks/on-return";
import { useFocusOnStepChange } from "~/ui/hooks/use-focus";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { classNames } from "~/ui/layout/class-names";
import { SummaryList } from "~/ui/lists/summary-list";

interface FilesUnderWayProps {
  referralId: number;
  files: {
    whole: WholeUpload;
    unfinished: readonly UnfinishedUpload[];
    archives: readonly UnpackedArchive[];
  };
}

function FilesUnderWay({ referralId, files: { whole, unfinished, archives } }: FilesUnderWayProps) {
  const [underWay, setUnderWay] = useState(NOTHING_UNDER_WAY);
  const left = unfinished.filter(({ id }) => !underWay.ids.includes(id));
  return (
    <div className="no-print">
      <UploadNotices underWay={underWay} whole={whole} />
      <ul className="file-lines" aria-label="Filer, der mangler">
        {left.map((upload) => (
          <UnfinishedLine key={upload.id} upload={upload} />
        ))}
      </ul>
      {archives.map(({ id, fileName, refused }) => (
        <SkippedFiles key={id} of={fileName} files={refused} />
      ))}
      <UploadPart
        target={{ referralId }}
        listedUploads={whole.uploadIds}
        unfinished={unfinished}
        archives={archives}
        inputId="billeder"
        onUnderWay={setUnderWay}
        // An interrupted upload resumes when its file is chosen again; a changed file takes its own place.
        isClosed={left.length === 0 && underWay.stuck.length === 0}
        form={null}
      />
    </div>
  );
}

type Values = SerializeFrom<typeof loader>;
type Receipt = NonNullable<Values["receipt"]>;

const callSteps: Readonly<Record<number, string>> = {
  0: "Patienten ringer selv til klinikken og aftaler en tid.",
  1: "Patienten har allerede en tid.",
  2: "Klinikken indkalder patienten.",
};

/** Sending types 'post' and 'encrypted mail or EDI', whose images are still to be sent. */
const SENT_OTHERWISE = [1, 2];

function presentReceipt({ sentAt, desiredTreatment, ...receipt }: Receipt, usualWaits: Values["usualWaits"]) {
  const wait = usualWaitText(usualWaits.filter(({ urgency }) => urgency === receipt.referenceType));
  return {
    ...receipt,
    sentOn: showDateTime(sentAt),
    desiredTreatment: desiredTreatment ?? "",
    next: [
      ...(receipt.awaitedFiles > 0
        ? [`${awaitedText(receipt.awaitedFiles)}, som følger efter. Lad fanen stå åben.`]
        : []),
      ...(SENT_OTHERWISE.includes(receipt.radiographsSendType)
        ? [`Husk billederne: ${labelOf(radiographsSendTypes, receipt.radiographsSendType).toLowerCase()}.`]
        : []),
      "Klinikken læser henvisningen og visiterer den.",
      `${callSteps[receipt.callType] ?? `${labelOf(callTypes, receipt.callType)}.`}${wait ? ` ${wait}` : ""}`,
      receipt.isNotified
        ? "Du får en mail, når sagens status ændres, og kan følge den i oversigten."
        : "Du kan følge henvisningen i oversigten.",
    ],
  };
}

/**
 * Reads a page that waits again when its person returns to it: another window may have sent or deleted the draft. Without
 * a session the page stays, with its files on their way. No timer, because reading is activity and prolongs the session.
 */
function useReadOnReturn(isWaiting: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWaiting) return;
    const look = async () => {
      if (document.hidden) return;
      const answer = await askWhoIsSignedIn();
      if (answer?.account && !isLocked()) revalidate();
    };
    return onReturn(() => void look());
  }, [isWaiting, revalidate]);
}

export const links: LinksFunction = () => [{ rel: "stylesheet", href: uploadStyles }];

export { clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const meta = pageTitle("Din henvisning");

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readReceiptPage,
    { referralId: new URL(args.request.url).searchParams.get("nr") },
    { subject: ({ awaiting }) => (awaiting === null ? {} : { fields: { referralId: awaiting.id } }) },
  );

export const action = (args: ActionFunctionArgs) => runCommand(args, { cancelUpload, setUploadType });

/**
 * Confirmation with number, next steps and printable summary. Says so if the referral is a draft, since Back returns
 * here after the sending was withdrawn.
 */
export default function VisitSent() {
  const page = useLoaderData<typeof loader>();
  const receipt = page.receipt && presentReceipt(page.receipt, page.usualWaits);
  const { awaiting, draft, uploads } = page;
  useReadOnReturn(awaiting !== null);
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
                ? `HENVISNINGEN ${awaitingText(awaiting.files).toUpperCase()}`
                : draft
                  ? `Kladde nr. ${draft.id} er ikke sendt`
                  : "Henvisningen findes ikke"}
          </h1>
          {receipt && (
            <p className="m-0 text-ink">
              Klinikken har modtaget henvisning nr. {receipt.id} den {receipt.sentOn}.
            </p>
          )}
          {id === undefined && draft === null && (
            <p className="m-0 text-ink">En kladde, der er slettet, er ikke sendt til klinikken.</p>
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
      {page.urgentAdvice && <UrgentNotice advice={page.urgentAdvice} />}
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
