import { useSearchParams } from "@remix-run/react";
import { useRef, useState } from "react";
import { ReferrerCombobox } from "~/components/referrer-picker/referrer-combobox";
import {
  FindReferrerForm,
  type Option,
  ReferrerRadios,
  standingChoice,
  useFoundReferrers,
} from "~/components/referrer-picker/referrer-picker";
import { ActionForm, useBusy, useServerForm } from "~/http/forms/action-form";
import { useOpenedWith } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { DialogPage } from "~/ui/feedback/dialog";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/fields";
import { useHydrationHandover } from "~/ui/hooks/use-hydrated";
import { FieldRow, FormPart } from "~/ui/layout/page";
import { StickyBar } from "~/components/page-frame/page-frame";
import { SummaryList } from "~/ui/lists/summary-list";
import { BarIdentity } from "../../patient-identity";
import type { WizardData } from "../../present";
import { FilesPart } from "../files-part";

export const NOTIFY_ME = "Send mig en mail, når sagens status ændres";
export const NO_EMAIL_TEXT = "Henviseren har ingen e-mail, så der kan ikke sendes besked.";

function NewReferrer({ referralId, storedId }: { referralId: number; storedId: string }) {
  const { form, fields, opened, summary } = useServerForm<{ firstName?: string; lastName?: string }>("createReferrer", {
    sees: { referrerId: storedId },
    labels: { firstName: "Fornavn", lastName: "Efternavn" },
  });
  const busy = useBusy("createReferrer");
  const back = paths.wizardStep(referralId, 2);
  return (
    <DialogPage title="Opret ny henviser" closeTo={back}>
      <ActionForm operation="createReferrer" action={`${back}&ny=1`} of={form} opened={opened} className="stack">
        <ErrorSummary {...summary("Henviseren er ikke oprettet.")} />
        <FieldRow>
          <TextField field={fields.firstName} label="Fornavn" autoComplete="off" />
          <TextField field={fields.lastName} label="Efternavn" autoComplete="off" />
        </FieldRow>
        <div className="row">
          <Button value="createReferrer" variant="primary" state={busy}>
            Opret
          </Button>
          <ButtonLink to={back} data-discards>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </DialogPage>
  );
}

function ReferrerCards({ referrer }: { referrer: Option | null }) {
  if (!referrer) return null;
  const { clinic } = referrer;
  return (
    <>
      <div className="card">
        <h3>Henviser</h3>
        <SummaryList
          facts={[
            { label: "Navn", value: referrer.name },
            { label: "E-mail", value: referrer.email, wide: true },
          ]}
        />
      </div>
      <div className="card">
        <h3>Klinik</h3>
        {clinic ? (
          <SummaryList
            facts={[
              { label: "Navn", value: clinic.name },
              { label: "Adresse", value: clinic.address },
              { label: "Postnr. og by", value: `${clinic.zip} ${clinic.city}` },
              { label: "Telefon", value: clinic.phone },
              { label: "Fax", value: clinic.fax },
            ]}
          />
        ) : (
          <p className="meta m-0">Henviseren hører ikke til nogen klinik.</p>
        )}
      </div>
    </>
  );
}

/** Step 2. Without JavaScript search and choice are separate forms, so that searching saves nothing. */
function ReferrerStep({ wizard, live }: { wizard: WizardData; live: WizardData }) {
  const sendNotification = wizard.referrer?.sendNotification ? "on" : "";
  const step = useServerForm<{ referrerId?: string; referrerIdText?: string; sendNotification?: string }>(
    "saveReferrer",
    {
      defaultValue: { sendNotification },
      // A proposed referrer is not stored, and one who refers themselves has none to choose.
      stored: wizard.referrer?.mayChoose
        ? { referrerId: wizard.referrer.storedId, sendNotification }
        : { sendNotification },
      firstInput: { referrerId: "referrerId-first" },
      guarded: "question",
    },
  );
  const { fields, summary } = step;
  const [query] = useSearchParams();
  const { referrer, referralId } = wizard;
  const typed = fields.referrerIdText.defaultValue;
  const [chosen, setChosen] = useState<Option | null>(standingChoice(referrer?.chosen, typed));
  const busy = useBusy("saveReferrer");
  const form = useRef<HTMLFormElement>(null);
  const found = useFoundReferrers();
  const isByScript = useHydrationHandover(form, (standing) => {
    const picked = Number(standing.get("referrerId"));
    setChosen(
      [...(found?.referrers ?? []), ...(referrer?.choices ?? [])].find(({ value }) => value === picked) ??
        referrer?.chosen ??
        null,
    );
  });
  if (referrer === null || referralId === null) return null;
  const { mayChoose, mayCreate } = referrer;
  const hasNoEmail = (isByScript ? chosen : referrer.chosen)?.email === "";
  return (
    <div className="panel-body" id="patient-form">
      <ErrorSummary {...summary("Henviseren er ikke gemt.")} />
      {mayCreate && query.has("ny") && <NewReferrer referralId={referralId} storedId={referrer.storedId} />}
      {mayChoose && !isByScript && (
        <div className="scripts:hidden">
          <FindReferrerForm />
        </div>
      )}
      <ActionForm operation="saveReferrer" of={step.form} opened={step.opened} ref={form}>
        <FormPart title="Henviser" hint={hintOf(referrer)}>
          {mayChoose && (
            // Space is reserved; not submitted before it can search.
            <fieldset disabled={!isByScript} className={isByScript ? undefined : "hidden scripts:block"}>
              <ReferrerCombobox<Option>
                id={isByScript ? "referrerId-first" : "referrerId-coming"}
                required
                choices={referrer.choices}
                chosen={chosen}
                onChoose={setChosen}
                typed={typed}
                error={fields.referrerId.errors}
              />
            </fieldset>
          )}
          {mayChoose && !isByScript && (
            <div className="scripts:hidden">
              <ReferrerRadios
                choices={referrer.choices}
                chosen={referrer.chosen}
                typed={fields.referrerId.defaultValue}
                error={fields.referrerId.errors}
              />
            </div>
          )}
          {mayCreate && (
            <ButtonLink to={`${paths.wizardStep(referralId, 2)}&ny=1`} icon="plus" preventScrollReset>
              Opret ny henviser
            </ButtonLink>
          )}
          <ReferrerCards referrer={isByScript ? chosen : referrer.chosen} />
          <Checkbox
            field={fields.sendNotification}
            disabled={hasNoEmail}
            label={mayChoose ? "Send besked til henviseren, når sagens status ændres" : NOTIFY_ME}
          />
          {hasNoEmail && <p className="meta">{NO_EMAIL_TEXT}</p>}
        </FormPart>
      </ActionForm>
      <FilesPart wizard={live} />
      <StickyBar form label="Trin 2">
        <Button
          form={step.form.id}
          value="saveReferrer"
          variant="primary"
          size="large"
          iconAfter="next"
          state={busy}
          className="phone:flex-[1_0_auto]"
        >
          Næste
        </Button>
        <ButtonLink to={paths.wizardStep(referralId, 1)} size="large">
          Tilbage
        </ButtonLink>
        <BarIdentity wizard={wizard} />
      </StickyBar>
    </div>
  );
}

function hintOf({ mayChoose, isProposed }: NonNullable<WizardData["referrer"]>): string | undefined {
  if (!mayChoose) return undefined;
  return isProposed ? "Foreslået. Søg på navn eller klinik for at vælge en anden." : "Søg på navn eller klinik.";
}

/** Step 2 as opened: remounted after a referrer was chosen or created in it, not when somebody else saved. */
export function ReferrerPage({ wizard }: { wizard: WizardData }) {
  const opened = useOpenedWith(["saveReferrer", "createReferrer"], wizard);
  return <ReferrerStep key={opened.version} wizard={opened} live={wizard} />;
}
