import { Link, useFetcher, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { PatientLookUp } from "~/features/referrals/wizard/look-up-patient.server";
import type { ActionResult } from "~/http/forms/action-result";
import { paths } from "~/paths";
import { joinCprBoxes, parseCpr } from "~/text/cpr";
import { Button, type ButtonState } from "~/ui/forms/button";
import { CprField } from "~/ui/forms/cpr-field";
import { Notice } from "~/ui/feedback/notice";
import type { FormOwner } from "./use-autosave";
import type { FormField } from "~/ui/forms/field";
import { presentExisting, presentLookUp } from "../../present";
import { PatientIdentity } from "../../patient-identity";

interface FindPatientProps {
  six: FormField;
  four: FormField;
  found: PatientLookUp | undefined;
  owner: FormOwner;
  /** With JavaScript: another number than the form's. Returns whether a new form was opened. */
  onOtherCpr(cpr6: string, cpr4: string): boolean;
  isMoved: boolean;
}

/** CPR number with two look-ups. Results fill the fields with JavaScript; without, they come with the page. */
export function FindPatient({ six, four, found, owner, onOtherCpr, isMoved }: FindPatientProps) {
  const { defaultValue: cpr6 } = six;
  const row = useRef<HTMLDivElement>(null);
  const { defaultValue: cpr4 } = four;
  const check = useFetcher<ActionResult>();
  const lookUp = found?.lookUp ? presentLookUp(found.lookUp) : null;
  const there = found ?? (check.state === "idle" ? (check.data?.data as PatientLookUp | undefined) : undefined);

  useEffect(() => {
    const form = row.current?.closest("form");
    for (const [name, value] of Object.entries(found?.values ?? {})) {
      const field = form?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value;
    }
    // Enter filled the patient in, so the focus moves to the first field that is still empty.
    if (found?.lookUp && document.activeElement === cprBox(row.current, "cpr4")) emptyField(form)?.focus();
  }, [found]);

  const [seen, setSeen] = useState<PatientLookUp>();
  useEffect(() => {
    const form = row.current?.closest("form");
    const edited = () => setSeen(found);
    form?.addEventListener("input", edited);
    return () => form?.removeEventListener("input", edited);
  }, [found]);

  const hasRequested = useRef(false);
  const { submit } = check;
  useEffect(() => {
    if (!isMoved || hasRequested.current) return;
    hasRequested.current = true;
    cprBox(row.current, "cpr4")?.focus();
    submit({ intent: "checkCpr", cpr6: cpr6 ?? "", cpr4: cpr4 ?? "" }, { method: "post", preventScrollReset: true });
  }, [isMoved, cpr6, cpr4, submit]);

  const update = () => {
    const typed = (name: string) => cprBox(row.current, name)?.value.trim() ?? "";
    const boxes: [string, string] = [typed("cpr6"), typed("cpr4")];
    const cpr = parseCpr(joinCprBoxes(...boxes));
    if (cpr === null || cpr === owner.cpr()) return;
    // An invalid number does not clear the form: correcting it is no other patient.
    const isFirst = owner.cpr() === null;
    if (!isFirst && onOtherCpr(...boxes)) return;
    owner.belongsTo(cpr);
    submit({ intent: "checkCpr", cpr6: boxes[0], cpr4: boxes[1] }, { method: "post", preventScrollReset: true });
  };
  // On a slow connection a number may be typed or restored before the script loads.
  const first = useRef(update);
  useEffect(() => first.current(), []);

  return (
    <>
      <div
        className="fields-row"
        ref={row}
        onInput={({ target }) => /^cpr[64]$/.test((target as HTMLInputElement).name) && update()}
      >
        <CprField fields={{ six, four }} begins={!cpr6 && !six.errors} />
        <LookUpButton intent="fetchAddress" lookUp={found === seen ? null : lookUp} />
        <LookUpButton intent="fetchKnownPatient" lookUp={found === seen ? null : lookUp} />
      </div>
      {lookUp && !lookUp.succeeded && (
        <p className="tone-err state" role="status">
          {lookUp.text}
        </p>
      )}
      {there && there.openReferrals.length > 0 && (
        <Notice kind="warn" title="Patienten har allerede en åben henvisning:" live>
          <LinkedReferrals items={presentExisting(there.openReferrals)} to={paths.referral} />
        </Notice>
      )}
      {there && there.drafts.length > 0 && (
        <Notice kind="info" title="Kladder for patienten:" live>
          <LinkedReferrals items={presentExisting(there.drafts)} to={paths.openInWizard} />
        </Notice>
      )}
    </>
  );
}

export function LookUpText({ found }: { found: PatientLookUp | undefined }) {
  const lookUp = found?.lookUp && presentLookUp(found.lookUp);
  if (!lookUp?.succeeded)
    return (
      <>
        Skriv CPR-nummeret, så henter vi navn og adresse. Gem data: Henter det, vi kender fra en tidligere henvisning.
      </>
    );
  return (
    <span className="tone-ok state" role="status">
      {lookUp.text}
    </span>
  );
}

function cprBox(row: HTMLElement | null, name: string): HTMLInputElement | undefined {
  const box = row?.closest("form")?.elements.namedItem(name);
  return box instanceof HTMLInputElement ? box : undefined;
}

const TYPED_BY_HAND = ["firstName", "lastName", "address", "zip", "city", "desiredTreatment"];

function emptyField(form: HTMLFormElement | null | undefined): HTMLElement | undefined {
  return TYPED_BY_HAND.map((name) => form?.elements.namedItem(name)).find(
    (field): field is HTMLInputElement | HTMLTextAreaElement =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value === "",
  );
}

const labels = { fetchAddress: "Hent adresse", fetchKnownPatient: "Gem data" };

interface LookUpButtonProps {
  intent: keyof typeof labels;
  lookUp: ReturnType<typeof presentLookUp> | null;
}

function LookUpButton({ intent, lookUp }: LookUpButtonProps) {
  const navigation = useNavigation();
  const mine = lookUp?.button === intent ? lookUp : undefined;
  const asked = navigation.formData?.get("intent");
  const isAsking = asked === intent || (asked === "fetchPatient" && intent === "fetchAddress");
  const state: ButtonState = isAsking ? "working" : mine ? (mine.succeeded ? "success" : "failure") : "ready";
  return (
    <Button
      value={intent}
      icon={intent === "fetchAddress" ? "search" : undefined}
      state={state}
      className="phone:flex-auto"
    >
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

interface Identity {
  name: string;
  cpr: string | null;
}

export function FormIdentity({ form, saved }: { form: RefObject<HTMLFormElement>; saved: Identity | null }) {
  const [standing, setStanding] = useState<Identity | null>(saved);
  useEffect(() => {
    const element = form.current;
    const update = () => element && setStanding((before) => unlessSame(before, identityIn(element)));
    update();
    element?.addEventListener("input", update);
    element?.addEventListener("focusin", update);
    return () => {
      element?.removeEventListener("input", update);
      element?.removeEventListener("focusin", update);
    };
  }, [form]);
  return standing?.name ? <PatientIdentity {...standing} /> : null;
}

function identityIn(form: HTMLFormElement): Identity {
  const text = (name: string) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement ? field.value.trim() : "";
  };
  return {
    name: [text("firstName"), text("lastName")].filter(Boolean).join(" "),
    cpr: parseCpr(joinCprBoxes(text("cpr6"), text("cpr4"))),
  };
}

const unlessSame = (before: Identity | null, now: Identity) =>
  before?.name === now.name && before.cpr === now.cpr ? before : now;
