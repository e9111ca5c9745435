import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { editMessage } from "~/features/messages/edit-message.server";
import { markMessages } from "~/features/messages/mark-messages.server";
import { setStaffAddress } from "~/features/messages/message-mail.server";
import { writeMessage } from "~/features/messages/write-message.server";
import { readReferral } from "~/features/referrals/read-referral.server";
import { setSurgeon } from "~/features/referrals/set-surgeon.server";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { FilesPart } from "./files-part";
import { ImagesPart } from "./images-part";
import { LogPart } from "./log-part";
import { MessagesPart } from "./messages-part";
import { PatientPart } from "./patient-part";
import { ReferralHead } from "./referral-head";
import { ReferralPart } from "./referral-part";

export const meta = pageTitle(({ visitId }) => `Henvisning nr. ${visitId}`);

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, readReferral, { referralId: args.params.visitId });

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) => runCommand(args, { writeMessage, editMessage, markMessages, setSurgeon, setStaffAddress });

/** The open referral: what it says on the left, contact and history on the right (design/look/look.md, rule 9). */
export default function OpenReferral() {
  const referral = useLoaderData<typeof loader>();
  return (
    <article aria-label={`Henvisning nr. ${referral.id}`}>
      <ReferralHead referral={referral} />
      <div className="split">
        <div>
          <PatientPart referral={referral} />
          <ReferralPart referral={referral} />
          <FilesPart referral={referral} />
          <ImagesPart referral={referral} />
        </div>
        <div>
          <MessagesPart referral={referral} />
          <LogPart referral={referral} />
        </div>
      </div>
    </article>
  );
}
