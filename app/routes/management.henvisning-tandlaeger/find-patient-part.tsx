import { Link, useFetcher, useNavigation } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import type { PatientLookUp } from "~/features/referrals/look-up-patient.server";
import type { FormAnswer } from "~/http/command.server";
import { paths } from "~/paths";
import { joinCprBoxes, parseCpr } from "~/text/cpr";
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
  /** By script: the form already belonged to another CPR number. Answers whether the form was left for a fresh one. */
  onOtherCpr(cpr6: string, cpr4: string): boolean;
  /** The number was typed in the form that was left. */
  isMoved: boolean;
}

/**
 * The CPR number and the two look-ups beside it. 'Hent adresse' is the form's first button, so Enter in the boxes presses it. What
 * is found comes with the page without script; with script it is written into the fields, and files and texts stay.
 */
export function FindPatientPart({ id, cpr6, cpr4, error, found, onOtherCpr, isMoved }: FindPatientPartProps) {
  const check = useFetcher<FormAnswer>();
  const there = found ?? (check.data?.found as PatientLookUp | undefined);
  const known = useRef(parseCpr(joinCprBoxes(cpr6 ?? "", cpr4 ?? "")));

  useEffect(() => {
    const form = document.getElementById(id)?.closest("form");
    for (const [name, value] of Object.entries(found?.values ?? {})) {
      const field = form?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value;
    }
  }, [id, found]);

  // Once, for the number that the form was opened with.
  const hasAsked = useRef(false);
  const { submit } = check;
  useEffect(() => {
    if (!isMoved || hasAsked.current) return;
    hasAsked.current = true;
    document.getElementById(`${id}-4`)?.focus();
    submit({ intent: "checkCpr", cpr6: cpr6 ?? "", cpr4: cpr4 ?? "" }, { method: "post", preventScrollReset: true });
  }, [isMoved, id, cpr6, cpr4, submit]);

  function typed({ target }: FormEvent) {
    const box = target as HTMLInputElement;
    if (box.name !== "cpr6" && box.name !== "cpr4") return;
    const [six, four] = ["cpr6", "cpr4"].map((name) => (box.form!.elements.namedItem(name) as HTMLInputElement).value.trim()) as [string, string];
    const cpr = parseCpr(joinCprBoxes(six, four));
    if (cpr === null || cpr === known.current) return;
    // A number that could be nobody's was a slip of the pen: correcting it is no other patient.
    const isFirst = known.current === null;
    known.current = cpr;
    if (isFirst || !onOtherCpr(six, four)) submit({ intent: "checkCpr", cpr6: six, cpr4: four }, { method: "post", preventScrollReset: true });
  }

  return (
    <FormPart title="Find patienten" hint="Skriv CPR-nummeret, så henter vi navn og adresse." onInput={typed}>
      <div className="fields-row">
        <CprField id={id} required defaultValue6={cpr6} defaultValue4={cpr4} error={error} />
        <LookUpButton intent="fetchAddress" found={found} />
        <LookUpButton intent="fetchKnownPatient" found={found} />
      </div>
      {found?.lookUp && (
        <p className={found.lookUp.succeeded ? "tone-ok state" : "tone-err state"} role="status">
          {found.lookUp.text}
        </p>
      )}
      {there && there.openReferrals.length > 0 && (
        <Notice kind="warn" title="Patienten har allerede en åben henvisning:" live>
          <LinkedReferrals items={there.openReferrals} to={paths.referral} />
        </Notice>
      )}
      {there && there.drafts.length > 0 && (
        <Notice kind="info" title="Kladder for patienten:" live>
          <LinkedReferrals items={there.drafts} to={paths.openInWizard} />
        </Notice>
      )}
    </FormPart>
  );
}

const labels = { fetchAddress: "Hent adresse", fetchKnownPatient: "Gem data" };

function LookUpButton({ intent, found }: { intent: keyof typeof labels; found: PatientLookUp | undefined }) {
  const navigation = useNavigation();
  const mine = found?.lookUp?.button === intent ? found.lookUp : undefined;
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
