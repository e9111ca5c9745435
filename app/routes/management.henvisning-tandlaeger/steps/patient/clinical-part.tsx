import type { ReactNode } from "react";
import { healthPrompts } from "~/features/referrals/model/clinical-facts";
import type { PatientField } from "~/features/referrals/model/patient-labels";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, sendingText } from "~/files/file-texts";
import { CLINICAL_LIMIT } from "~/text/limits";
import { Checkbox } from "~/ui/forms/choices";
import type { FormField } from "~/ui/forms/field";
import { FileField, type ReceivedFile } from "~/ui/forms/file-field";
import { TextArea, TextField } from "~/ui/forms/text-field";
import { Icon } from "~/ui/icons/icon";
import { FormPart } from "~/ui/layout/page";
import type { WizardData } from "../../present";

const isUsed = ({ defaultValue, errors }: FormField) => Boolean(defaultValue) || errors !== undefined;

/** A field that few referrals need: a line that becomes the field when it is pressed. */
function Addition({ label, isOpen, children }: { label: string; isOpen: boolean; children: ReactNode }) {
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        // The line that had the focus is gone.
        if (currentTarget.open && document.activeElement === currentTarget.querySelector("summary"))
          currentTarget.querySelector<HTMLElement>("textarea, input")?.focus();
      }}
    >
      <summary className="no-marker flex items-center min-h-11 table:min-h-8 rounded-sm text-primary-ink font-semibold">
        <Icon name="plus" size={18} className="mr-1.5" />
        {label}
      </summary>
      {children}
    </details>
  );
}

const INTERPRETER_HINT = "Sproget, fx arabisk eller tegnsprog.";

interface ClinicalPartProps {
  wizard: WizardData;
  fields: Record<PatientField | "keepJournals", FormField>;
  isFound: boolean;
  receivedJournals: readonly ReceivedFile[];
}

export function ClinicalPart({ wizard, fields, isFound, receivedJournals }: ClinicalPartProps) {
  return (
    <FormPart title="Kliniske oplysninger">
      <div className="clinical">
        <TextArea
          field={fields.desiredTreatment}
          limit={CLINICAL_LIMIT}
          label="Ønsket behandling"
          rows={3}
          // Without JavaScript the page comes back from the look-up.
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- what is left to be typed once the patient is found
          autoFocus={isFound}
        />
        <TextArea field={fields.diagnose} limit={CLINICAL_LIMIT} label="Diagnose" optional rows={3} />
      </div>
      <input type="hidden" name="withPrompts" value="on" />
      <div className="additions chips" role="group" aria-label="Andet om patienten">
        {healthPrompts
          .filter(({ name }) => wizard.offeredPrompts.includes(name) || isUsed(fields[name]))
          .map(({ name, label, limit, ...prompt }) => (
            <Addition key={name} label={"chip" in prompt ? prompt.chip : label} isOpen={isUsed(fields[name])}>
              {name === "interpreter" ? (
                <TextField field={fields[name]} label={label} optional hint={INTERPRETER_HINT} />
              ) : (
                <TextArea field={fields[name]} limit={limit} label={label} optional rows={1} />
              )}
            </Addition>
          ))}
      </div>
      <div className="additions">
        <Addition label="Tilføj tidligere behandling" isOpen={isUsed(fields.previousTreatment)}>
          <TextArea
            field={fields.previousTreatment}
            limit={CLINICAL_LIMIT}
            label="Tidligere behandling"
            optional
            rows={2}
          />
        </Addition>
        <Addition label="Tilføj kommentar" isOpen={isUsed(fields.comment)}>
          <TextArea field={fields.comment} limit={CLINICAL_LIMIT} label="Kommentar" optional rows={2} />
        </Addition>
        <Addition
          label="Tilføj journal"
          isOpen={isUsed(fields.journals) || wizard.journals.length + receivedJournals.length > 0}
        >
          {wizard.journals.map((file) => (
            <Checkbox key={file.id} field={fields.keepJournals} value={file.id} label={`Behold ${file.fileName}`} />
          ))}
          <FileField
            field={fields.journals}
            label="Journalfiler"
            optional
            multiple
            accept={acceptAttribute("journal")}
            types={sendingText("journal")}
            hint="Kopi af journalen."
            received={receivedJournals}
            refusalOf={(file) => chosenFileRefusal("journal", file)}
          />
        </Addition>
      </div>
    </FormPart>
  );
}
