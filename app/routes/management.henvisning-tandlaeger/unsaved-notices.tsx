import { Form, Link } from "@remix-run/react";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import type { WizardData } from "./wizard-data";

interface UnsavedNoticesProps {
  wizard: WizardData;
  /** The form that was left for another CPR number. */
  left: object | null;
  takeBack(): void;
}

/** What was typed and not saved: given back, waiting elsewhere, or just left. */
export function UnsavedNotices({ wizard, left, takeBack }: UnsavedNoticesProps) {
  const { restored, unsaved } = wizard;
  return (
    <div className="panel-notices">
      {left && (
        <Notice
          kind="info"
          title="Formularen er ryddet."
          live
          action={
            <Button size="small" type="button" onClick={takeBack}>
              Fortryd
            </Button>
          }
        >
          CPR-nummeret blev ændret, så her er en ny henvisning til den nye patient.
        </Notice>
      )}
      {restored && (
        <Notice
          kind={restored.isOutdated ? "warn" : "info"}
          title={`Hentet: det, du skrev ${restored.at}, men ikke gemte.`}
          action={
            <Form method="post">
              <input type="hidden" name="formKey" value={wizard.formKey} />
              {wizard.referralId !== null && <input type="hidden" name="referralId" value={wizard.referralId} />}
              <Button name="intent" value="dropTyped" size="small">
                Kassér
              </Button>
            </Form>
          }
        >
          {restored.isOutdated && "Henvisningen er gemt af en anden siden: sammenlign, før du gemmer."}
        </Notice>
      )}
      {!left && !restored && unsaved.length > 0 && (
        <Notice kind="info" title="Påbegyndt, men ikke gemt:">
          <ul>
            {unsaved.map(({ formKey, at, name }) => (
              <li key={formKey}>
                <Link to={paths.newReferral(formKey)}>{name}</Link> · {at}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
