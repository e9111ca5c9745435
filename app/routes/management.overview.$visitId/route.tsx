import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction, SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { editMessage } from "~/features/messages/edit-message.server";
import { markMessages } from "~/features/messages/mark-messages.server";
import { setStaffAddress } from "~/features/messages/message-mail.server";
import { writeMessage } from "~/features/messages/write-message.server";
import { changeReferrer } from "~/features/referrals/change-referrer.server";
import { editCase, editPatient, editPlan } from "~/features/referrals/edit-referral.server";
import { restoreFile } from "~/features/referrals/restore-file.server";
import { readReferral } from "~/features/referrals/read-referral.server";
import { retryRadiographExport } from "~/features/referrals/retry-radiograph-export.server";
import { searchReferrers } from "~/features/referrals/save-referrer.server";
import { sendStatus } from "~/features/referrals/send-status.server";
import { setStatus } from "~/features/referrals/set-status.server";
import { undoStatuses } from "~/features/referrals/set-statuses.server";
import { setSurgeon } from "~/features/referrals/set-surgeon.server";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { keepPage } from "~/http/keep-page";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import type { PageFormHandle } from "~/http/page-form";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { AppointmentPart, BillingPart, CallUpPart } from "./contact-parts";
import { FilesPart } from "./files-part";
import { ImagesPart } from "./images-part";
import { askedLetter, LetterNotice, LettersPart } from "./letters-part";
import { LogPart } from "./log-part";
import { MessagesPart } from "./messages-part";
import { PatientPart } from "./patient-part";
import { PlanPart } from "./plan-part";
import { presentReferral } from "./present";
import { ReferralHead } from "./referral-head";
import { ReferralPart } from "./referral-part";
import { editFormId } from "./use-messages-page";

/** A mailed link to a letter starts its download without script too. */
export const meta: MetaFunction = (args) => {
  const letter = args.data ? askedLetter(args.location.search) : null;
  const url = letter && paths.letter(Number(args.params.visitId), letter.number, letter.kind, letter.mailedTo);
  return [...(title(args) ?? []), ...(url ? [{ httpEquiv: "refresh", content: `0;url=${url}` }] : [])];
};

const title = pageTitle(({ visitId }) => `Henvisning nr. ${visitId}`);

export const handle = {
  pageForm({ edit, messages }, query) {
    const edited = query.get("ret") ?? "";
    if (edit) return `ret-${edited}`;
    return messages.items.some(({ id, mayEdit }) => mayEdit && String(id) === edited)
      ? editFormId(Number(edited))
      : "writeMessage";
  },
} satisfies PageFormHandle<SerializeFrom<typeof loader>>;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readReferral, {
    referralId: args.params.visitId,
    edit: new URL(args.request.url).searchParams.get("ret"),
  });

export const clientLoader = keepPage;

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    editPatient,
    editCase,
    editPlan,
    changeReferrer,
    searchReferrers,
    setStatus,
    undoStatuses,
    sendStatus,
    writeMessage,
    editMessage,
    markMessages,
    setSurgeon,
    setStaffAddress,
    restoreFile,
    retryRadiographExport,
  });

/** The open referral: what it says on the left, contact and history on the right. */
export default function OpenReferral() {
  const referral = presentReferral(useLoaderData<typeof loader>());
  return (
    <article aria-label={`Henvisning nr. ${referral.id}`}>
      <LetterNotice referralId={referral.id} />
      <Outlet />
      <ReferralHead referral={referral} />
      <div className="split">
        <div>
          <PatientPart referral={referral} />
          <ReferralPart referral={referral} />
          <FilesPart referral={referral} />
          <PlanPart referral={referral} />
          <ImagesPart referral={referral} />
        </div>
        <div>
          <MessagesPart referral={referral} />
          <CallUpPart sections={referral.sections} />
          <AppointmentPart sections={referral.sections} />
          <BillingPart sections={referral.sections} />
          <LettersPart referral={referral} />
          {referral.mayEdit && <LogPart referral={referral} />}
        </div>
      </div>
    </article>
  );
}
