import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PageHead } from "~/components/page-frame/page-frame";
import { putAwaySetUp, readSetUp } from "~/features/set-up/operations.server";
import { type ServerGap, serverGaps, type SetUpStep, setUpSteps } from "~/features/set-up/set-up-steps";
import { ActionForm } from "~/http/forms/action-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Progress } from "~/ui/feedback/progress";
import { Button, ButtonLink } from "~/ui/forms/button";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Icon } from "~/ui/icons/icon";

const steps: Readonly<Record<SetUpStep, readonly [label: string, to: string]>> = {
  letterhead: ["Brevhoved", paths.letterSettings],
  openingHours: ["Åbningstider", paths.nameSettings],
  conditions: ["Betingelser", paths.portalText("conditions")],
  treatmentTypes: ["Behandlingstyper", paths.settings],
  clinics: ["Klinik", paths.newClinic],
  referrers: ["Henviser", paths.newUser],
  testMessage: ["Prøv at sende en besked", paths.profile],
};

const gaps: Readonly<Record<ServerGap, readonly [label: string, settings: string]>> = {
  clinicName: ["Klinikkens navn", "CLINIC_NAME"],
  support: ["Mail og telefon til support", "SUPPORT_EMAIL, SUPPORT_PHONE"],
  sender: ["Afsender af mails", "MAIL_FROM"],
  email: ["E-mail", "SMTP_URL"],
  sms: ["SMS", "SMS_TOKEN"],
  eboks: ["e-Boks og breve", "NETS_SHARE_URL"],
  personRegister: ["CPR-opslag", "CPR_URL"],
};

export const meta = pageTitle("Oversigt");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => runPage(args, readSetUp);

export const action = (args: ActionFunctionArgs) => runCommand(args, { putAwaySetUp });

/** Missing steps of a new portal, shown in place of the overview until the first referral arrives. */
export default function SetUpPage() {
  const { missing } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Oversigt" />
      {missing.length === 0 ? (
        <EmptyState
          icon="done"
          title="Klinikken kan gå i gang."
          why="Intet mangler i opsætningen."
          action={<a href={paths.overview}>Til oversigten</a>}
        />
      ) : (
        <SetUpCard missing={missing} />
      )}
    </>
  );
}

function SetUpCard({ missing }: { missing: readonly (SetUpStep | ServerGap)[] }) {
  const next = setUpSteps.find((step) => missing.includes(step));
  const done = setUpSteps.filter((step) => !missing.includes(step)).length;
  const gapsLeft = serverGaps.filter((gap) => missing.includes(gap));
  return (
    <section className="panel panel-body max-w-[760px]" aria-labelledby="set-up">
      <h2 id="set-up" className="mb-2">
        Før klinikken kan gå i gang
      </h2>
      <Progress label={`${done} af ${setUpSteps.length} er gjort`} value={(100 * done) / setUpSteps.length} />
      <ol className="my-2">
        {setUpSteps.map((step, index) => (
          <li key={step} className="flex items-center min-h-9">
            <span className="w-8 flex-none text-ink2">
              {missing.includes(step) ? index + 1 : <Icon name="done" className="text-ok" />}
            </span>
            <a href={steps[step][1]} className={step === next ? "font-semibold" : undefined}>
              {steps[step][0]}
            </a>
            {!missing.includes(step) && <span className="sr-only"> er gjort</span>}
          </li>
        ))}
      </ol>
      {gapsLeft.length > 0 && (
        <>
          <h3>Mangler på serveren</h3>
          <ul className="meta mb-3">
            {gapsLeft.map((gap) => (
              <li key={gap}>{`${gaps[gap][0]}: Ikke indstillet (${gaps[gap][1]})`}</li>
            ))}
          </ul>
        </>
      )}
      <div className="row">
        {next && (
          <ButtonLink to={steps[next][1]} variant="primary">
            Fortsæt
          </ButtonLink>
        )}
        <ActionForm operation="putAwaySetUp" action={paths.setUp}>
          <Button value="putAwaySetUp" variant="plain">
            Skjul
          </Button>
        </ActionForm>
      </div>
    </section>
  );
}
