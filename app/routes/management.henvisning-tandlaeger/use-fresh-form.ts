import { useLocation, useNavigate, useNavigation } from "@remix-run/react";
import { useState } from "react";
import { paths } from "~/paths";
import type { WizardData } from "./wizard-data";

type Values = Partial<NonNullable<WizardData["patient"]>>;

interface FreshForm {
  /** The address' query that the form stands at; at any other address it is over. */
  search: string;
  values: Values;
  /** The form that was left, and what stood in it. */
  left: { search: string; values: Values } | null;
}

/** By script only, so the browser makes the key; the server takes any that is unlike the others. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Another CPR number is another patient (specification 2 §2.1): the form is left for a fresh one with the new number, out of edit
 * mode and without its referral. Until the next page the person can take it back, so a corrected digit costs nothing.
 */
export function useFreshForm(wizard: WizardData) {
  const [fresh, setFresh] = useState<FreshForm | null>(null);
  const { search } = useLocation();
  const navigation = useNavigation();
  const navigate = useNavigate();
  const mine = fresh !== null && (search === fresh.search || navigation.location?.search === fresh.search) ? fresh : null;
  const go = (next: FreshForm) => {
    setFresh(next);
    navigate(`${paths.wizard}${next.search}`, { replace: true, preventScrollReset: true });
  };
  return {
    wizard: mine ? shownAs(wizard, mine) : wizard,
    /** Changes whenever the form is another one. */
    formId: mine?.search ?? String(wizard.referralId ?? wizard.formKey),
    left: mine?.left ?? null,
    leaveFor: (values: Values, before: Values) => go({ search: `?form=${newKey()}`, values, left: { search, values: before } }),
    takeBack: () => mine?.left && go({ ...mine.left, left: null }),
  };
}

function shownAs(wizard: WizardData, { search, values }: FreshForm): WizardData {
  const formKey = new URLSearchParams(search).get("form");
  if (formKey === null) return { ...wizard, patient: { ...wizard.patient, ...values }, restored: null };
  return { ...wizard, formKey, referralId: null, version: null, isSent: false, provenance: null, patient: values, journals: [], approval: null, held: [], restored: null };
}
