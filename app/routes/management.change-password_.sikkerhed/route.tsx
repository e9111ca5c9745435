import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ProfileHead } from "~/components/profile/profile-head";
import { readSecurity } from "~/features/account-security/read-security.server";
import {
  activateSecondFactor,
  beginSecondFactor,
  checkSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from "~/features/account-security/second-factor.server";
import { endOtherSessions, endOwnSession } from "~/features/account-security/sessions.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { FactorPart } from "./factor-part";
import { SessionsPart } from "./sessions-part";

export const meta = pageTitle("Din profil, sikkerhed");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readSecurity,
    {},
    {
      forms: {
        beginSecondFactor,
        checkSecondFactor,
        endSecondFactor,
        renewRecoveryCodes,
        endOwnSession,
        endOtherSessions,
      },
    },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    beginSecondFactor,
    checkSecondFactor,
    activateSecondFactor,
    endSecondFactor,
    renewRecoveryCodes,
    endOwnSession,
    endOtherSessions,
  });

export default function Security() {
  const { factor, sessions, userName } = useLoaderData<typeof loader>();
  return (
    <>
      <ProfileHead />
      <div className="panel panel-body mt-4">
        {factor && <FactorPart factor={factor} userName={userName} />}
        <SessionsPart sessions={sessions} />
      </div>
    </>
  );
}
