import { useRef } from "react";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { useActionResult } from "~/http/forms/use-action-result";
import { patientFormId, PatientStep } from "./patient-step";
import { UnsavedNotices } from "../../unsaved-notices";
import { useAutosave } from "./use-autosave";
import { useFormOwner } from "./use-form-owner";
import type { LeftForm } from "./use-new-form-on-cpr-change";
import type { WizardData } from "../../wizard-data";

interface PatientPageProps {
  wizard: WizardData;
  /** The form that was left for another CPR number. */
  left: LeftForm | null;
  /** Files that stood in it before it was left and taken back. */
  filesToChoose: readonly string[];
  restoreLeftForm(): void;
  /** With JavaScript: the CPR number was changed. Both are what stands in a form: the new one's, and the one that is left. */
  onOtherCpr(values: Record<string, string>, before: Record<string, string>, files: string[]): void;
}

/** Step 1 as it was opened: the notices of unsaved copies, and the form. The notices stand inside what the address' hash leads to. */
export function PatientPage({ wizard, left, filesToChoose, restoreLeftForm, onOtherCpr }: PatientPageProps) {
  const formId = patientFormId(wizard);
  const opened = useOpenedWith(formId, wizard);
  const answer = useActionResult(formId);
  const form = useRef<HTMLFormElement>(null);
  const owner = useFormOwner(opened.patient);
  const autosave = useAutosave(form, owner, answer);
  return (
    <div id="patient-form">
      <UnsavedNotices
        wizard={{ ...opened, ofOthers: wizard.ofOthers, unsaved: wizard.unsaved }}
        left={left}
        filesToChoose={filesToChoose}
        restoreLeftForm={restoreLeftForm}
        isAnswered={answer !== undefined}
        onDiscard={autosave.stop}
      />
      <PatientStep
        wizard={opened}
        live={wizard}
        formRef={form}
        owner={owner}
        autosave={autosave}
        onOtherCpr={onOtherCpr}
        isMoved={left !== null}
      />
    </div>
  );
}
