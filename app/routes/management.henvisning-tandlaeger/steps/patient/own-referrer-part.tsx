import { Checkbox } from "~/ui/forms/choices";
import type { FormField } from "~/ui/forms/field";
import { FormPart } from "~/ui/layout/page";
import { NO_EMAIL_TEXT, NOTIFY_ME } from "../referrer/referrer-texts";
import type { WizardData } from "../../wizard-data";

/** Step 2 of dentists who refer themselves, on step 1: only the notification is chosen. */
export function OwnReferrerPart({ wizard, field }: { wizard: WizardData; field: FormField }) {
  const { referrer } = wizard;
  if (referrer === null || referrer.mayChoose || referrer.chosen === null) return null;
  const { name, email, clinic } = referrer.chosen;
  return (
    <FormPart title="Henviser" hint="Hele kortet står på trin 2.">
      <input type="hidden" name="withReferrer" value="on" />
      <p className="m-0">
        {name}
        {clinic && ` · ${clinic.name}`}
      </p>
      <Checkbox field={field} disabled={email === ""} label={NOTIFY_ME} />
      {email === "" && <p className="meta">{NO_EMAIL_TEXT}</p>}
    </FormPart>
  );
}
