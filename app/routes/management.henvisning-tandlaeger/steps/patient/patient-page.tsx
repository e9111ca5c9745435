import { useRef } from "react";
import { useOpenedWith, useActionResult } from "~/http/forms/use-action-result";
import { patientFormId, PatientStep } from "./patient-step";
import { UnsavedNotices } from "../../unsaved-notices";
import { useAutosave, useFormOwner } from "./use-autosave";
import type { LeftForm } from "./use-new-form-on-cpr-change";
import type { WizardData } from "../../present";

interface PatientPageProps {
  wizard: WizardData;
  left: LeftForm | null;
  filesToChoose: readonly string[];
  restoreLeftForm(): void;
  /** With JavaScript, after the CPR number changed: values of the new and of the former form. */
  onOtherCpr(values: Record<string, string>, before: Record<string, string>, files: string[]): void;
}

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
        wizard={{ ...opened, underOtherNumbers: wizard.underOtherNumbers, unsaved: wizard.unsaved }}
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
