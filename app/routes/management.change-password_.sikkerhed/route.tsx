import {
  endOtherSessions,
  endOwnSession,
  readSecurity,
  activateSecondFactor,
  beginSecondFactor,
  checkSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from "~/features/account-security/operations.server";
import { type PageOf, runPage, runCommand } from "~/http/runners/page.server";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { PasswordForm, RecoveryCodes, SetUp } from "~/components/second-factor/set-up";
import { useActionResult, useFormErrors } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { showDate, showDateTime } from "~/text/dates";
import { ButtonLink } from "~/ui/forms/button";
import { FormPart } from "~/ui/layout/page";
import { Chip } from "~/ui/lists/chip";
import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { ProfileHead } from "~/components/profile/profile-head";
import { pageTitle } from "~/http/title";
import { isHandheld } from "~/text/device";
import { Icon } from "~/ui/icons/icon";

interface FactorProps {
  factor: NonNullable<PageOf<typeof readSecurity>["factor"]>;
  userName: string;
}

function FactorPart({ factor, userName }: FactorProps) {
  const { isOn, isRequired, setUp } = factor;
  const section = useSearchParams()[0].get("sp");
  const isBeginning = setUp !== null || section === "telefon";
  return (
    <FormPart
      title="Totrinslogin"
      hint={
        isRequired
          ? "Kræves for din konto. Du skal bruge en kode-app på din telefon."
          : "Log ind med din adgangskode og en kode fra en app på din telefon."
      }
    >
      {isOn && <On factor={factor} />}
      {(!isOn || isBeginning) && (
        <SetUp userName={userName} setUp={setUp} isOn={isOn} begin={isOn ? "Skift telefon" : "Slå totrinslogin til"} />
      )}
      {isOn && !isBeginning && <Ways factor={factor} userName={userName} section={section} />}
    </FormPart>
  );
}

const On = ({ factor: { since, codesLeft } }: Pick<FactorProps, "factor">) => (
  <p className="row m-0">
    <Chip tone="ok" icon="done">
      Slået til
    </Chip>
    <span className="meta">
      {since && `siden ${showDate(since)} · `}
      {codesLeft === 1 ? "1 gendannelseskode" : `${codesLeft} gendannelseskoder`} tilbage
    </span>
  </p>
);

function Ways({ factor: { isRequired }, userName, section }: FactorProps & { section: string | null }) {
  const codes = useActionResult("renewRecoveryCodes")?.data?.codes as string[] | undefined;
  const errors = useFormErrors("renewRecoveryCodes");
  const isRenewing = section === "koder" || errors.length > 0;
  if (codes)
    return (
      <RecoveryCodes codes={codes} userName={userName}>
        <ButtonLink to={paths.security()} variant="primary">
          Jeg har gemt koderne
        </ButtonLink>
      </RecoveryCodes>
    );
  if (isRenewing)
    return (
      <PasswordForm
        intent="renewRecoveryCodes"
        button="Lav ti nye koder"
        failed="Der er ikke lavet nye koder."
        asksCode
      >
        <p className="m-0">De gamle gendannelseskoder virker ikke mere, når der er lavet nye.</p>
      </PasswordForm>
    );
  if (section === "fra" && !isRequired)
    return (
      <PasswordForm
        intent="endSecondFactor"
        button="Slå totrinslogin fra"
        failed="Totrinslogin er ikke slået fra."
        isDanger
        asksCode
      >
        <p className="m-0">Derefter er din adgangskode nok til at logge ind.</p>
      </PasswordForm>
    );
  return (
    <div className="row">
      <ButtonLink to={paths.security("koder")}>Nye gendannelseskoder</ButtonLink>
      <ButtonLink to={paths.security("telefon")}>Skift telefon</ButtonLink>
      {!isRequired && (
        <Link to={paths.security("fra")} className="text-err inline-flex items-center min-h-11">
          Slå fra
        </Link>
      )}
    </div>
  );
}

type Session = SerializeFrom<typeof loader>["sessions"][number];

const EVERYWHERE = "alle";

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
          <PasswordForm
            intent="endOwnSession"
            place={`endOwnSession-${handle}`}
            button="Log ud her"
            failed="Sessionen er ikke slut."
          >
            <input type="hidden" name="session" value={handle} />
          </PasswordForm>
        </div>
      )}
    </>
  );
}

export const meta = pageTitle("Din profil, sikkerhed");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

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
