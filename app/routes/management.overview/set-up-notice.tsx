import { ActionForm } from "~/http/forms/action-form";
import type { SetUpStep } from "~/features/set-up/set-up-steps";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";

const steps: Readonly<Record<SetUpStep, { text: string; to: string } | { text: string; setting: string }>> = {
  email: { text: "E-mail", setting: "SMTP_URL" },
  sms: { text: "SMS", setting: "SMS_TOKEN" },
  eboks: { text: "e-Boks og breve", setting: "NETS_SHARE_URL" },
  personRegister: { text: "CPR-opslag", setting: "CPR_URL" },
  letterhead: { text: "Klinikkens brevhoved", to: paths.letterSettings },
  conditions: { text: "Betingelser for henvisere", to: paths.portalText("conditions") },
  treatmentTypes: { text: "Behandlingstyper", to: paths.settings },
  clinics: { text: "Den første klinik", to: paths.newClinic },
  referrers: { text: "Den første henviser", to: paths.newUser },
};

/** Set-up steps of a new portal, until done or dismissed. */
export function SetUpNotice({ steps: missing, here }: { steps: readonly SetUpStep[]; here: string }) {
  if (missing.length === 0) return null;
  return (
    <Notice
      kind="info"
      title="Mangler, før I går i gang:"
      // On phones the button is below the full-width list.
      className="phone:[&>div]:basis-[230px]"
      action={
        <ActionForm operation="putAwaySetUp" action={here} preventScrollReset>
          <Button name="intent" value="putAwaySetUp" size="small">
            Skjul
          </Button>
        </ActionForm>
      }
    >
      <ul className="inline [&>li]:inline-block [&>li]:mr-3">
        {missing.map((step) => {
          const line = steps[step];
          return (
            <li key={step}>
              {"to" in line ? (
                <a href={line.to}>{line.text}</a>
              ) : (
                `${line.text}: Ikke indstillet (${line.setting} på serveren)`
              )}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
