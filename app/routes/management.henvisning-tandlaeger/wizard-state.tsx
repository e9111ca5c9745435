import { AwaitingNotice } from "~/components/radiograph-upload/awaiting-notice";
import { Icon } from "~/ui/icons/icon";
import type { WizardData } from "./wizard-data";
import { Verbatim } from "~/ui/layout/translation";

/** What is saved, by whom, and pending sending; nothing before step 1 is saved. */
export function WizardState({ wizard }: { wizard: WizardData }) {
  const { step, referralId, availableStep, provenance, awaiting } = wizard;
  if (referralId === null) return null;
  return (
    <>
      <p className="wizard-state meta px-4 pt-3 [&>svg]:inline-block [&>svg]:mr-1.5 [&>svg]:align-text-bottom">
        {/* Only if the step was saved before; moving between steps edits nothing. */}
        {(wizard.isSent || step < availableStep) && <Icon name="edit" size={18} />}
        {wizard.isSent ? `Du retter henvisning nr. ${referralId}.` : `Kladde nr. ${referralId} er gemt.`}
        {provenance && (
          <>
            {" "}
            Oprettet af{" "}
            <Verbatim>
              {provenance.creatorName} ({provenance.creatorClinic})
            </Verbatim>{" "}
            {provenance.creationTime}. Ændret af{" "}
            <Verbatim>
              {provenance.modifierName} ({provenance.modifierClinic})
            </Verbatim>{" "}
            {provenance.modifyTime}.
          </>
        )}
      </p>
      {awaiting && (
        <div className="panel-notices">
          <AwaitingNotice referralId={referralId} {...awaiting} />
        </div>
      )}
    </>
  );
}
