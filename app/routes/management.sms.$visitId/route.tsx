import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { presentSmsThread, SmsThread } from "~/components/sms-thread/sms-thread";
import { undoCancellation } from "~/features/appointment-answers/cancel-by-patient.server";
import { liftSmsStop } from "~/features/sms-stops/stopped-numbers.server";
import {
  readSmsReferral,
  replySms,
  sendSmsWithCancellation,
  sendSmsWithoutCancellation,
} from "~/features/sms-threads/operations.server";
import { decideSms, markSmsRead, unplaceSms } from "~/features/sms-threads/settle-answer.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";

export const meta = pageTitle(({ visitId }) => `SMS, nr. ${visitId}`);

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readSmsReferral,
    { referralId: args.params.visitId },
    {
      forms: { replySms },
      subject: ({ thread: { referralId, messages } }) => ({
        fields: { referralId },
        items: { answerId: messages.flatMap((message) => (message.isIncoming ? [[message.id]] : [])) },
      }),
    },
  );

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
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

export default function SmsReferral() {
  const { thread } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  const { referralId } = thread;
  return (
    <div className="w-full min-w-0">
      <SmsThread key={referralId} thread={presentSmsThread(thread)} here={pathname + search} />
      <p className="mt-3 mb-0">
        <a href={paths.referral(referralId)} className="inline-flex items-center">
          Åbn henvisning nr. {referralId} <Icon name="next" size={18} className="ml-1.5" />
        </a>
      </p>
    </div>
  );
}
