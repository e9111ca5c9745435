import { Link, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { PatientLookUp } from "~/features/referrals/look-up-patient.server";
import { paths } from "~/paths";
import { Button, type ButtonState } from "~/ui/button";
import { CprField } from "~/ui/cpr-field";
import { Notice } from "~/ui/notice";
import { FormPart } from "~/ui/page";

interface FindPatientPartProps {
  /** Of the CPR field; its first box is `{id}-6`. */
  id: string;
  cpr6: string | undefined;
  cpr4: string | undefined;
  error: string[] | undefined;
  found: PatientLookUp | undefined;
}

/**
 * The CPR number and the two look-ups beside it. 'Hent adresse' is the form's first button, so Enter in the boxes presses it. What
 * is found comes with the page without script; with script it is written into the fields, and files and texts stay.
 */
export function FindPatientPart({ id, cpr6, cpr4, error, found }: FindPatientPartProps) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = part.current?.closest("form");
    for (const [name, value] of Object.entries(found?.values ?? {})) {
      const field = form?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value;
    }
  }, [found]);
  return (
    <div ref={part}>
      <FormPart title="Find patienten" hint="Skriv CPR-nummeret, så henter vi navn og adresse.">
        <div className="fields-row">
          <CprField id={id} required defaultValue6={cpr6} defaultValue4={cpr4} error={error} />
          <LookUpButton intent="fetchAddress" found={found} />
          <LookUpButton intent="fetchKnownPatient" found={found} />
        </div>
        {found && (
          <p className={found.lookUp.succeeded ? "tone-ok state" : "tone-err state"} role="status">
            {found.lookUp.text}
          </p>
        )}
        {found && found.openReferrals.length > 0 && (
          <Notice kind="warn" title="Patienten har allerede en åben henvisning:">
            <LinkedReferrals items={found.openReferrals} to={paths.referral} />
          </Notice>
        )}
        {found && found.drafts.length > 0 && (
          <Notice kind="info" title="Kladder for patienten:">
            <LinkedReferrals items={found.drafts} to={paths.openInWizard} />
          </Notice>
        )}
      </FormPart>
    </div>
  );
}

const labels = { fetchAddress: "Hent adresse", fetchKnownPatient: "Gem data" };

function LookUpButton({ intent, found }: { intent: keyof typeof labels; found: PatientLookUp | undefined }) {
  const navigation = useNavigation();
  const mine = found?.lookUp.button === intent ? found.lookUp : undefined;
  const isAsking = navigation.formData?.get("intent") === intent;
  const state: ButtonState = isAsking ? "working" : mine ? (mine.succeeded ? "success" : "failure") : "ready";
  return (
    <Button name="intent" value={intent} icon={intent === "fetchAddress" ? "search" : undefined} state={state} className="field">
      {labels[intent]}
    </Button>
  );
}

function LinkedReferrals({ items, to }: { items: { id: number; date: string }[]; to: (id: number) => string }) {
  return (
    <ul>
      {items.map(({ id, date }) => (
        <li key={id}>
          <Link to={to(id)}>Nr. {id}</Link> · {date}
        </li>
      ))}
    </ul>
  );
}
