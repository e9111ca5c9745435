import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { DeleteLetterQuestion } from "~/components/discharge-letters/delete-question";
import { askDeleteLetter, deleteLetter } from "~/features/discharge-letters/operations.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";

export const meta = pageTitle(({ visitId }) => `Slet udskrivningsbrev, henvisning nr. ${visitId}`);

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    askDeleteLetter,
    { referralId: args.params.visitId, letterNumber: args.params.letterNumber },
    { subject: ({ referralId, letterNumber }) => ({ fields: { referralId, letterNumber } }) },
  );

export const action = (args: ActionFunctionArgs) => runCommand(args, { deleteLetter });

export default function DeleteLetter() {
  const question = useLoaderData<typeof loader>();
  const { search } = useLocation();
  return (
    <DeleteLetterQuestion
      question={question}
      back={`${paths.referral(question.referralId)}${search}#udskrivningsbrev`}
    />
  );
}
