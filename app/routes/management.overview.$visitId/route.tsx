import { Fragment } from "react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { neighbours } from "~/components/overview-list/overview-list";
import { IMAGES_PAGE, type ViewedReferral } from "~/components/referral-pages/use-image-pages";
import { STATUS_FORM } from "~/components/status-form/row-save-state";
import { undoCancellation } from "~/features/appointment-answers/cancel-by-patient.server";
import { sendAppointmentLetter, withdrawAppointmentLetter } from "~/features/appointment-letters/operations.server";
import { sendBill } from "~/features/billing/send-bill.server";
import {
  callUpByPhone,
  sendAnotherCallUp,
  sendCallUp,
  withdrawCallUp,
  updateCallUp,
} from "~/features/call-ups/send-call-up.server";
import {
  declineLetters,
  sendLetterImages,
  sendLetterToPatient,
  setEdiAsEmail,
} from "~/features/discharge-letters/operations.server";
import { resendLetter, withdrawLetter } from "~/features/discharge-letters/queue-letter.server";
import { beginLetter, uploadLetter, uploadLetterImages } from "~/features/discharge-letters/upload-letter.server";
import { editMessage, markMessages, writeMessage } from "~/features/messages/operations.server";
import { readOpenReferral } from "./data.server";
import { confirmFileOwner, revokeFileLinks, sendRadiographLink } from "~/features/patient-links/operations.server";
import { changeReferrer, setSurgeon } from "~/features/referrals/details/operations.server";
import { confirmSamePerson } from "~/features/referrals/details/same-person.server";
import { confirmToldTime } from "~/features/referrals/status/told-times.server";
import { editPatient, editPlan, editReferralDetails } from "~/features/referrals/details/edit-referral.server";
import { restoreFile, retryRadiographExport } from "~/features/referrals/images/operations.server";
import { addMaterialDocuments, declineMaterial } from "~/features/referrals/material/answer-material.server";
import { askForMaterial } from "~/features/referrals/material/ask-for-material.server";
import { isAsked, NOT_STATED } from "~/features/referrals/model/known-none";
import { clinicalLines } from "~/features/referrals/details/describe-referral";
import type { CaveMark } from "~/features/referrals/model/cave";
import type { FactName } from "~/features/referrals/model/facts";
import { holdReferral, sendStatus } from "~/features/referrals/status/operations.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { undoStatuses } from "~/features/referrals/status/set-statuses.server";
import { searchReferrers } from "~/features/referrals/wizard/save-referrer.server";
import { liftSmsStop } from "~/features/sms-stops/stopped-numbers.server";
import {
  replySms,
  sendSmsWithCancellation,
  sendSmsWithoutCancellation,
} from "~/features/sms-threads/operations.server";
import { decideSms, markSmsRead, unplaceSms } from "~/features/sms-threads/settle-answer.server";
import { useFormErrors, type PageTicket, TicketProvider, usePageTicket } from "~/http/forms/use-action-result";
import { runCommand, runPage, type PageOf } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import referralStyles from "~/styles/referral.css";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { useFillsWindow } from "~/ui/layout/fills-window";
import { classNames } from "~/ui/layout/class-names";
import { Verbatim } from "~/ui/layout/translation";
import { type OpenReferral, useListAround } from "./open-referral";
import { presentReferral } from "./present";
import { HeadStatus, ReferralHead } from "./referral-head";
import { MESSAGES_PAGE, editFormId } from "./sections/messages/message-form";
import { MaterialPart } from "./sections/material/material-part";
import { LetterNotice, refreshToLetter, LinksPart, LettersPart } from "./sections/sent/links-part";
import { NextSteps, StatusSaved, useJustDone, useStatusBefore, useStatusChanged } from "./status-line";
import type { PageFormHandle } from "~/http/forms/page-form";
import { formOf } from "./edit-form";
import { FilesPart, ImagesPart } from "./sections/files/files-part";
import { PatientPart, ReferralPart } from "./sections/referral/referral-part";
import { PlanPart, HoldPart } from "./sections/plan/plan-part";
import { AppointmentPart, CallUpPart, LogPart, SmsPart, BillingPart } from "./sections/sent/sent-parts";
import { MessagesPart } from "./sections/messages/messages-part";

function ViewerTriage({ referral, hasKeys }: { referral: OpenReferral; hasKeys: boolean }) {
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  const done = useJustDone(referral.id);
  const refused = useFormErrors(STATUS_FORM);
  return (
    <div aria-live="polite" className="[&>*+*]:mt-2">
      {refused.length > 0 && <Notice kind="error">{refused.join(" ")}</Notice>}
      {done && (
        <div className="row">
          <StatusSaved referral={referral} done={done} here={here} />
        </div>
      )}
      <NextSteps referral={referral} here={here} isDone={done !== undefined} hasKeys={hasKeys} />
      <HeadStatus referral={referral} here={here} />
      {!done && <NextReferral referralId={referral.id} />}
    </div>
  );
}

function NextReferral({ referralId }: { referralId: number }) {
  const list = useListAround();
  const next = list && neighbours(list, referralId).next;
  if (!next) return null;
  return (
    <Link
      to={next}
      rel="next"
      className={`${buttonClass({ size: "small", wide: true, fit: "tight" })} whitespace-nowrap`}
    >
      <span>Næste henvisning</span>
      {!list.isMore && <span className="ml-auto pl-2 text-ink2 font-normal">{showCount(list.total)} tilbage</span>}
      <Icon name="right" size={18} className="ml-1" />
    </Link>
  );
}

function viewedReferral(open: OpenReferral, ticket: PageTicket, hasKeys: boolean): ViewedReferral {
  const { id, patient, isUrgent, referral, mayEdit, cave } = open;
  return {
    id,
    patientName: patient.name,
    cpr: patient.cpr,
    age: patient.age,
    isUrgent,
    cave,
    texts: clinicalLines(referral).flatMap(({ label, value }) => (value ? [{ label, value }] : [])),
    triage: mayEdit ? (
      <TicketProvider value={ticket}>
        <ViewerTriage referral={open} hasKeys={hasKeys} />
      </TicketProvider>
    ) : null,
  };
}

export const links = () => [{ rel: "stylesheet", href: referralStyles }];

/** A mailed letter link also downloads without JavaScript. */
export const meta: MetaFunction = (args) => [...(title(args) ?? []), ...(args.data ? refreshToLetter(args) : [])];

const title = pageTitle(({ visitId }) => `Henvisning nr. ${visitId}`);

export const handle = {
  pageForm({ edit, messages }, query) {
    const edited = query.get("ret") ?? "";
    if (edit) return formOf[edited as keyof typeof formOf] ?? null;
    return messages.items.some(({ id, mayEdit }) => mayEdit && String(id) === edited)
      ? editFormId(Number(edited))
      : "writeMessage";
  },
} satisfies PageFormHandle<PageOf<typeof readOpenReferral>>;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(
    args,
    readOpenReferral,
    {
      referralId: args.params.visitId,
      edit: query.get("ret"),
      imagePage: query.get(IMAGES_PAGE),
      messagePage: query.get(MESSAGES_PAGE),
    },
    {
      forms: {
        editPatient,
        editReferralDetails,
        editPlan,
        changeReferrer,
        askForMaterial,
        declineMaterial,
        sendCallUp,
        sendAppointmentLetter,
        sendRadiographLink,
        replySms,
      },
      subject: ({ id, version, statusVersion, ...page }) => ({
        fields: { referralId: id },
        versions: { version, statusVersion },
        items: {
          messageId: page.messages.items.map((message) => [message.id, message.version]),
          letterNumber: page.letters.letters.map(({ number }) => [number]),
          answerId: page.toPatient?.sms.messages.flatMap((message) => (message.isIncoming ? [[message.id]] : [])) ?? [],
          letterId: page.sections.appointmentLetters.flatMap(({ id: letterId, canWithdraw }) =>
            canWithdraw ? [[letterId]] : [],
          ),
          storedFileId: page.toPatient?.links.strangers.map((file) => [file.storedFileId]) ?? [],
          lineId: page.material?.lines.map(({ id: lineId }) => [lineId]) ?? [],
          fileId: page.deletedFiles.map(({ id: fileId }) => [fileId]),
        },
      }),
    },
  );
};

export const uploads = [writeMessage, editMessage, sendBill, uploadLetter, uploadLetterImages, addMaterialDocuments];

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    editPatient,
    confirmSamePerson,
    confirmToldTime,
    editReferralDetails,
    editPlan,
    changeReferrer,
    searchReferrers,
    setStatus,
    undoStatuses,
    sendStatus,
    askForMaterial,
    declineMaterial,
    addMaterialDocuments,
    writeMessage,
    editMessage,
    markMessages,
    setSurgeon,
    holdReferral,
    restoreFile,
    retryRadiographExport,
    sendCallUp,
    sendAnotherCallUp,
    updateCallUp,
    callUpByPhone,
    withdrawCallUp,
    sendAppointmentLetter,
    withdrawAppointmentLetter,
    sendBill,
    uploadLetter,
    uploadLetterImages,
    beginLetter,
    resendLetter,
    withdrawLetter,
    setEdiAsEmail,
    declineLetters,
    sendLetterImages,
    sendLetterToPatient,
    sendRadiographLink,
    revokeFileLinks,
    confirmFileOwner,
    replySms,
    sendSmsWithCancellation,
    sendSmsWithoutCancellation,
    decideSms,
    unplaceSms,
    markSmsRead,
    liftSmsStop,
    undoCancellation,
  });

export { PartErrorBoundary as ErrorBoundary } from "~/ui/feedback/error-page";

export default function ReferralPage() {
  const referral = presentReferral(useLoaderData<typeof loader>());
  const ticket = usePageTicket();
  const before = useStatusBefore(referral.id);
  const hasKeys = !useStatusChanged(referral);
  if (useFillsWindow()) return <Outlet context={viewedReferral(referral, ticket, hasKeys)} />;
  return (
    // Keyed by referral, so that no typed state carries over to the next.
    <article key={referral.id} aria-label={`Henvisning nr. ${referral.id}`} className="referral">
      <p className="sheet-head">
        Nr. {referral.id} · <Verbatim>{referral.patient.name}</Verbatim> · <Verbatim>{referral.patient.cpr}</Verbatim>
      </p>
      <LetterNotice referralId={referral.id} />
      <Outlet />
      <ReferralHead referral={referral} before={before} hasKeys={hasKeys} />
      <MaterialPart referral={referral} />
      <div className="split">
        <ClinicalColumn referral={referral} />
        <ContactColumn referral={referral} />
      </div>
    </article>
  );
}

function ClinicalPart({ referral: { referral, cave } }: { referral: OpenReferral }) {
  const lines = clinicalLines(referral);
  const isMarked = (kind: CaveMark["kind"]) => cave.some((mark) => mark.kind === kind && mark.from === null);
  const looks: Partial<Record<FactName, string | false>> = {
    allergies: isMarked("allergy") && "font-semibold text-urgent",
    medication: isMarked("medicine") && "font-semibold text-warn",
    desiredTreatment: "font-medium",
  };
  return (
    <section className="part" id="behandling" aria-label="Ønsket behandling og diagnose">
      <dl className="ref-text">
        {[true, false].flatMap((isFirst) =>
          lines
            .filter(({ name }) => isAsked(name) === isFirst)
            .map(({ name, label, value }) => (
              <Fragment key={name}>
                <dt>{label}</dt>
                <dd className={classNames("lined", value === NOT_STATED ? "text-ink2" : (looks[name] ?? false))}>
                  {value || "–"}
                </dd>
              </Fragment>
            )),
        )}
      </dl>
    </section>
  );
}

function ClinicalColumn({ referral }: { referral: OpenReferral }) {
  return (
    <div>
      <ClinicalPart referral={referral} />
      <ImagesPart referral={referral} />
      <PatientPart referral={referral} />
      <PlanPart referral={referral} />
      <ReferralPart referral={referral} />
      <FilesPart referral={referral} />
    </div>
  );
}

function ContactColumn({ referral }: { referral: OpenReferral }) {
  return (
    <div>
      <MessagesPart referral={referral} />
      <HoldPart referral={referral} />
      <CallUpPart referral={referral} />
      <AppointmentPart referral={referral} />
      {referral.toPatient && <LinksPart referralId={referral.id} links={referral.toPatient.links} />}
      <BillingPart referral={referral} />
      <LettersPart referral={referral} />
      <SmsPart referral={referral} />
      {referral.mayEdit && <LogPart referral={referral} />}
    </div>
  );
}
