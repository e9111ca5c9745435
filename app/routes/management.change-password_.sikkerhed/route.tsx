import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { ProfileHead } from "~/components/profile/profile-head";
import { PasswordForm } from "~/components/second-factor/set-up";
import { readSecurity } from "~/features/account-security/read-security.server";
import {
  activateSecondFactor,
  beginSecondFactor,
  checkSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from "~/features/account-security/second-factor.server";
import { endOtherSessions, endOwnSession } from "~/features/account-security/operations.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { isHandheld } from "~/text/device";
import { ButtonLink } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { FormPart } from "~/ui/layout/page";
import { Chip } from "~/ui/lists/chip";
import { FactorPart } from "./factor-part";

type Session = SerializeFrom<typeof loader>["sessions"][number];

/** Value for every session but the present one. */
const EVERYWHERE = "alle";

/** 'Dine sessioner': each can be ended with the password. */
function SessionsPart({ sessions }: { sessions: Session[] }) {
  const section = useSearchParams()[0].get("sp");
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <FormPart
      title="Dine sessioner"
      hint={
        <>
          Her er du logget ind. Kender du ikke en af dem, så log den ud, og skift adgangskode.
          {others.length > 0 && (
            <>
              <br />
              <Link to={paths.security(EVERYWHERE)} className="inline-flex items-center min-h-11 table:min-h-8">
                Log ud alle andre steder
              </Link>
            </>
          )}
        </>
      }
    >
      {section === EVERYWHERE && others.length > 0 && (
        <PasswordForm intent="endOtherSessions" button="Log ud alle andre steder" failed="Du er ikke logget ud." />
      )}
      <ul className="list-none m-0 p-0 divide-y divide-line">
        {sessions.map((session) => (
          <li key={session.handle} className="py-2">
            <OneSession session={session} isConfirming={section === session.handle} />
          </li>
        ))}
      </ul>
    </FormPart>
  );
}

function OneSession({ session, isConfirming }: { session: Session; isConfirming: boolean }) {
  const { handle, isThis, lastSeenAt } = session;
  const deviceName = session.deviceName ?? "Ukendt browser";
  return (
    <>
      <div className="row">
        <span className="inline-flex items-center font-semibold">
          <Icon name={isHandheld(deviceName) ? "handheld" : "computer"} className="mr-2 text-ink2" />
          {deviceName}
        </span>
        {isThis ? (
          <Chip tone="ok">Denne session</Chip>
        ) : (
          <span className="meta">senest {showDateTime(lastSeenAt)}</span>
        )}
        {!isThis && !isConfirming && (
          <span className="push">
            <ButtonLink to={paths.security(handle)} size="small">
              Log ud her<span className="sr-only">: {deviceName}</span>
            </ButtonLink>
          </span>
        )}
      </div>
      {isConfirming && !isThis && (
        <div className="mt-2">
          <PasswordForm intent="endOwnSession" button="Log ud her" failed="Sessionen er ikke slut.">
            <input type="hidden" name="session" value={handle} />
          </PasswordForm>
        </div>
      )}
    </>
  );
}

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
