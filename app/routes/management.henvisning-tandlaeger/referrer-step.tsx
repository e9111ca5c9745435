import { Form, useSearchParams } from "@remix-run/react";
import { useRef, useState } from "react";
import { usePortalForm } from "~/http/use-portal-form";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Checkbox } from "~/ui/choices";
import { ErrorSummary } from "~/ui/error-summary";
import { FormPart, StickyBar } from "~/ui/page";
import { useTakenOver } from "~/ui/use-taken-over";
import { NewReferrer } from "./new-referrer";
import { ReferrerCards } from "./referrer-cards";
import { ReferrerCombobox } from "./referrer-combobox";
import { FindReferrerForm, type Option, ReferrerRadios, useFound } from "./referrer-picker";
import { useBusy } from "~/http/use-busy";
import type { WizardData } from "./wizard-data";

/** Step 2: who refers (specification 2 §2.1). Without script the search and the choice are two forms: finding somebody saves nothing. */
export function ReferrerStep({ wizard }: { wizard: WizardData }) {
  const { field, isTicked, summary } = usePortalForm<{ referrerId?: string; sendNotification?: string }>("saveReferrer", {}, { referrerId: "referrerId-first" });
  const [query] = useSearchParams();
  const { referrer, referralId } = wizard;
  const [chosen, setChosen] = useState<Option | null>(referrer?.chosen ?? null);
  const busy = useBusy("saveReferrer");
  const form = useRef<HTMLFormElement>(null);
  const found = useFound();
  const isByScript = useTakenOver(form, (standing) => {
    const picked = Number(standing.get("referrerId"));
    setChosen([...(found?.referrers ?? []), ...(referrer?.choices ?? [])].find(({ value }) => value === picked) ?? referrer?.chosen ?? null);
  });
  if (referrer === null || referralId === null) return null;
  const { mayChoose, mayCreate, sendNotification } = referrer;
  return (
    <div className="panel-body">
      <ErrorSummary {...summary("Henviseren er ikke gemt.")} />
      {mayCreate && query.has("ny") && <NewReferrer referralId={referralId} version={wizard.version ?? 0} formKey={wizard.formKey} />}
      {mayChoose && !isByScript && <FindReferrerForm />}
      <Form method="post" noValidate ref={form}>
        <input type="hidden" name="referralId" value={referralId} />
        <input type="hidden" name="seenVersion" value={wizard.version ?? 0} />
        <FormPart title="Henviser" hint={mayChoose ? "Søg på navn eller klinik." : undefined}>
          {mayChoose && isByScript && <ReferrerCombobox<Option> required choices={referrer.choices} chosen={chosen} onChoose={setChosen} error={field("referrerId").error} />}
          {mayChoose && !isByScript && <ReferrerRadios choices={referrer.choices} chosen={referrer.chosen} typed={field("referrerId").defaultValue} error={field("referrerId").error} />}
          {mayCreate && (
            <ButtonLink to={`${paths.wizardStep(referralId, 2)}&ny=1`} icon="plus" preventScrollReset>
              Opret ny henviser
            </ButtonLink>
          )}
          <ReferrerCards referrer={isByScript ? chosen : referrer.chosen} />
          <Checkbox
            name="sendNotification"
            value="on"
            defaultChecked={isTicked("sendNotification", "on", sendNotification)}
            label="Send besked til henviseren, når sagens status ændres"
          />
        </FormPart>
        <StickyBar form label="Trin 2">
          <Button name="intent" value="saveReferrer" variant="primary" size="large" iconAfter="next" state={busy}>
            Næste
          </Button>
          <ButtonLink to={paths.wizardStep(referralId, 1)} size="large">
            Tilbage
          </ButtonLink>
        </StickyBar>
      </Form>
    </div>
  );
}
