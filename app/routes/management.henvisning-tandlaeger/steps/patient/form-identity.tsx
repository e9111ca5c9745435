import { type RefObject, useEffect, useState } from "react";
import { joinCprBoxes, parseCpr } from "~/text/cpr";
import { PatientIdentity } from "../../patient-identity";

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
