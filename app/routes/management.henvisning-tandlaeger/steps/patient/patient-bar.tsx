import type { RefObject } from "react";
import { useBusy } from "~/http/forms/use-busy";
import { Button } from "~/ui/forms/button";
import { StickyBar } from "~/ui/layout/page";
import { FormIdentity } from "./form-identity";
import type { WizardData } from "../../wizard-data";
import type { AutosaveState } from "./use-autosave";
import { ChangingText } from "~/ui/layout/translation";

interface PatientBarProps {
  formId: string;
  form: RefObject<HTMLFormElement>;
  wizard: WizardData;
  autosave: AutosaveState;
}

/** Sticky bar of step 1: 'Næste', the patient, and the last autosave. */
export function PatientBar({ formId, form, wizard, autosave }: PatientBarProps) {
  const busy = useBusy("savePatient");
  return (
    <StickyBar form label="Trin 1">
      <Button
        form={formId}
        name="intent"
        value="savePatient"
        variant="primary"
        size="large"
        iconAfter="next"
        state={busy}
        className="phone:flex-[1_0_auto]"
      >
        Næste
      </Button>
      <FormIdentity form={form} saved={wizard.identity} />
      <span className="meta empty:!m-0" role="status">
        {autosave.kind === "saved" && <ChangingText text={`Gemt ${autosave.at}`} />}
        {autosave.kind === "failed" && (
          <ChangingText text="Ikke gemt endnu: ingen forbindelse, eller du er logget ud." />
        )}
      </span>
    </StickyBar>
  );
}
