import { Link } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { Notice } from "~/ui/feedback/notice";
import type { LeftForm } from "./steps/patient/use-new-form-on-cpr-change";
import type { WizardData } from "./present";

interface UnsavedNoticesProps {
  wizard: WizardData;
  left: LeftForm | null;
  filesToChoose: readonly string[];
  restoreLeftForm(): void;
  /** The form was submitted and stayed, so its text was visible all the time. */
  isAnswered: boolean;
  onDiscard(): void;
}

export function UnsavedNotices({
  wizard,
  left,
  filesToChoose,
  restoreLeftForm,
  isAnswered,
  onDiscard,
}: UnsavedNoticesProps) {
  const { restored, underOtherNumbers, unsaved } = wizard;
  return (
    <div className="panel-notices">
      {left && (
        <Notice
          kind="info"
          title="Formularen er ryddet."
          live
          action={
            <Button size="small" type="button" onClick={restoreLeftForm}>
              Fortryd
            </Button>
          }
        >
          CPR-nummeret blev ændret, så her er en ny henvisning til den nye patient.
          {left.files.length > 0 && ` Fortryd henter teksterne tilbage, men ikke ${left.files.join(", ")}.`}
        </Notice>
      )}
      {filesToChoose.length > 0 && !isAnswered && (
        <Notice kind="warn" title={filesToChoose.length === 1 ? "Vælg filen igen:" : "Vælg filerne igen:"} live>
          {filesToChoose.join(", ")}. Teksterne er hentet tilbage; det kan valgte filer ikke blive.
        </Notice>
      )}
      {underOtherNumbers.length > 0 && (
        <Notice
          kind="warn"
          title={
            wizard.referralId === null
              ? "Hvilken patient vil du fortsætte med?"
              : "Du har skrevet noget her under et andet CPR-nummer."
          }
        >
          Det er ikke sat ind i formularen. Åbn det som en ny henvisning, eller kassér det.
          <ul>
            {underOtherNumbers.map(({ copyId, name, cpr, at }) => (
              <li key={copyId}>
                {name} · {cpr ?? "uden CPR-nummer"} · {at}{" "}
                <CopyButton copyId={copyId} intent="openTyped" label="Åbn" of={name} reloadDocument />{" "}
                <CopyButton copyId={copyId} intent="discardAutosave" label="Kassér" of={name} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {restored && !isAnswered && (
        <Notice
          kind={restored.isOutdated ? "warn" : "info"}
          title={`Vi har hentet det, du skrev ${restored.at}, men ikke nåede at gemme.`}
          action={
            <ActionForm operation="discardAutosave" reloadDocument onSubmit={onDiscard}>
              <input type="hidden" name="copyId" value={restored.copyId} />
              <input type="hidden" name="isShown" value="on" />
              <Button value="discardAutosave" size="small">
                Kassér
              </Button>
            </ActionForm>
          }
        >
          {restored.isOutdated && "Henvisningen er ændret siden: sammenlign, før du gemmer."}
        </Notice>
      )}
      {!left && !restored && unsaved.length > 0 && (
        <Notice kind="info" title="Påbegyndt, men ikke gemt:">
          <ul>
            {unsaved.map(({ copyId, formKey, at, name, cpr }) => (
              <li key={copyId}>
                <Link to={paths.newReferral(formKey)}>{name}</Link>
                {cpr && ` · ${cpr}`} · {at}{" "}
                <CopyButton copyId={copyId} intent="discardAutosave" label="Kassér" of={name} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

interface CopyButtonProps {
  copyId: number;
  intent: "openTyped" | "discardAutosave";
  label: string;
  of: string;
  reloadDocument?: boolean;
}

function CopyButton({ copyId, intent, label, of, reloadDocument }: CopyButtonProps) {
  return (
    <ActionForm
      operation={intent}
      place={`${intent}-${copyId}`}
      reloadDocument={reloadDocument}
      preventScrollReset
      className="inline"
    >
      <input type="hidden" name="copyId" value={copyId} />
      <Button value={intent} size="small" variant="plain" aria-label={`${label}: ${of}`}>
        {label}
      </Button>
    </ActionForm>
  );
}
