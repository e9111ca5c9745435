import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { previewLetter, readLetterForm, writeLetter } from "~/features/discharge-letters/write-letter.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { PageHead } from "~/ui/layout/page-frame";
import { LetterForm } from "./letter-form";

export const meta = pageTitle(({ visitId }) => `Skriv udskrivningsbrev, henvisning nr. ${visitId}`);

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readLetterForm,
    { referralId: args.params.visitId, letterNumber: args.params.letterNumber },
    {
      forms: { writeLetter },
      subject: ({ referralId, letterNumber }) => ({ fields: { referralId, letterNumber } }),
    },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { writeLetter, previewLetter });

/** 'Skriv udskrivningsbrev': a letter from the clinic's template with preview. */
export default function WriteLetter() {
  const letter = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title={`Skriv udskrivningsbrev ${letter.letterNumber}`} />
      <LetterForm letter={letter} />
    </>
  );
}
