import { Form, useActionData, useSearchParams } from "@remix-run/react";
import type { FormAnswer } from "~/http/command.server";
import { usePortalForm } from "~/http/use-portal-form";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Checkbox, RadioGroup } from "~/ui/choices";
import { ErrorSummary } from "~/ui/error-summary";
import { FactList } from "~/ui/facts";
import { FormPart, StickyBar } from "~/ui/page";
import { TextField } from "~/ui/text-field";
import { NewReferrer } from "./new-referrer";
import { useBusy } from "./use-busy";
import type { WizardData } from "./wizard-data";

interface FoundReferrers {
  search: string;
  referrers: { value: number; label: string }[];
}

/** Step 2: who refers (specification 2 §2.1). The search and the choice are two forms: finding somebody saves nothing. */
export function ReferrerStep({ wizard }: { wizard: WizardData }) {
  const { field, formErrors, faults } = usePortalForm<{ referrerId?: string }>("saveReferrer", {}, { referrerId: "referrerId-first" });
  const found = useActionData<FormAnswer>()?.found as FoundReferrers | undefined;
  const busy = useBusy("saveReferrer");
  const [query] = useSearchParams();
  if (wizard.referrer === null || wizard.referralId === null) return null;
  const { mayChoose, mayCreate, chosen, clinic, sendNotification } = wizard.referrer;
  const choices = found?.referrers ?? wizard.referrer.choices;
  const shown = chosen && !choices.some((choice) => choice.value === chosen.id) ? [{ value: chosen.id, label: chosen.label }, ...choices] : choices;
  return (
    <div className="panel-body">
      <ErrorSummary errors={faults.length > 0 ? faults : formErrors.map((text) => ({ text }))} />
      {mayCreate && query.has("ny") && <NewReferrer referralId={wizard.referralId} formKey={wizard.formKey} />}
      {mayChoose && (
        <Form method="post" role="search" noValidate>
          <FormPart title="Find henviser" hint="Søg på navn eller klinik.">
            <div className="fields-row">
              <TextField name="search" label="Navn eller klinik" className="grow" defaultValue={found?.search} autoComplete="off" />
              <Button name="intent" value="searchReferrers" icon="search" className="field">
                Find
              </Button>
              {mayCreate && (
                <ButtonLink to={`${paths.wizardStep(wizard.referralId, 2)}&ny=1`} icon="plus" className="field" preventScrollReset>
                  Opret ny henviser
                </ButtonLink>
              )}
            </div>
          </FormPart>
        </Form>
      )}
      <Form method="post" noValidate>
        <input type="hidden" name="referralId" value={wizard.referralId} />
        <FormPart title="Henviser">
          {mayChoose ? (
            shown.length === 0 ? (
              <p className="meta">Ingen data... Ingen henviser passer til søgningen.</p>
            ) : (
              <RadioGroup
                name="referrerId"
                label={found ? `${found.referrers.length} fundet` : "Henviser"}
                required
                choices={shown}
                defaultValue={chosen?.id}
                error={field("referrerId").error}
              />
            )
          ) : (
            <FactList facts={[{ label: "Navn", value: chosen?.name }, { label: "E-mail", value: chosen?.email, wide: true }]} />
          )}
          {clinic && (
            <div className="card">
              <h3>Klinik</h3>
              <FactList
                facts={[
                  { label: "Navn", value: clinic.name },
                  { label: "Adresse", value: clinic.address },
                  { label: "Postnr. og by", value: `${clinic.zip} ${clinic.city}` },
                  { label: "Telefon", value: clinic.phone },
                  { label: "Fax", value: clinic.fax },
                ]}
              />
            </div>
          )}
          <Checkbox name="sendNotification" value="on" defaultChecked={sendNotification} label="Send besked til henviseren, når sagens status ændres" />
        </FormPart>
        <StickyBar form label="Trin 2">
          <Button name="intent" value="saveReferrer" variant="primary" size="large" iconAfter="next" state={busy}>
            Næste
          </Button>
          <ButtonLink to={paths.wizardStep(wizard.referralId, 1)} size="large">
            Tilbage
          </ButtonLink>
        </StickyBar>
      </Form>
    </div>
  );
}
