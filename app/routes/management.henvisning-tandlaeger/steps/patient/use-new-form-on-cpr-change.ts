import { useLocation, useNavigate, useRouteLoaderData } from "@remix-run/react";
import { useState } from "react";
import { NO_TICKET, type PageTicket, usePageTicket } from "~/http/forms/use-ticket";
import { paths } from "~/paths";
import type { WizardData } from "../../wizard-data";

type Values = Partial<NonNullable<WizardData["patient"]>>;

/** A form that was left for another number: all that stood in it, and what it was of. */
export interface LeftForm {
  search: string;
  wizard: WizardData;
  ticket: PageTicket;
  /** The names of the files that were chosen in it and not sent: no script can put them back. */
  files: readonly string[];
}

interface NewForm {
  /** The address' query that the form stands at; at any other address it is over. */
  search: string;
  wizard: WizardData;
  ticket: PageTicket;
  left: LeftForm | null;
  /** Files that stood in it before it was left and taken back. */
  filesToChoose: readonly string[];
  /** Where the address still is until it has followed. */
  from: string;
  hasArrived: boolean;
}

/** With JavaScript only, so the browser makes the key; the server takes any that is unlike the others. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Another CPR number is another patient: the form is left for a fresh one with the new number, out of edit mode and without its
 * referral. Until the next page the person can take it back with everything that stood in it, its number first; files that were chosen
 * and not sent must be chosen again (docs/decisions/0031, 0070).
 */
export function useNewFormOnCprChange(wizard: WizardData) {
  const [fresh, setFresh] = useState<NewForm | null>(null);
  const { search } = useLocation();
  const navigate = useNavigate();
  // From the keystroke on, not only when the address has followed: until then the former patient's form would stand under the new number.
  const isHere = fresh !== null && (search === fresh.search || (!fresh.hasArrived && search === fresh.from));
  if (isHere && !fresh.hasArrived && search === fresh.search) setFresh({ ...fresh, hasArrived: true });
  // Coming back from another page shows what the server has: it may be more than stood here.
  if (fresh !== null && !isHere) setFresh(null);
  const ofPage = usePageTicket();
  // Bound to the person alone: the page's own ticket is the former patient's until the address has followed.
  const unbound = useRouteLoaderData<{ ticket?: PageTicket }>("routes/management")?.ticket ?? NO_TICKET;
  const ticket = isHere ? fresh.ticket : ofPage;
  const go = (next: Pick<NewForm, "search" | "wizard" | "ticket" | "left" | "filesToChoose">) => {
    setFresh({ ...next, from: search, hasArrived: false });
    navigate(`${paths.wizard}${next.search}`, { replace: true, preventScrollReset: true });
  };
  const shown = isHere ? fresh.wizard : wizard;
  return {
    wizard: shown,
    ticket,
    /** Changes whenever the form is another one. */
    formId: isHere ? fresh.search : String(wizard.referralId ?? wizard.formKey),
    left: isHere ? fresh.left : null,
    filesToChoose: isHere ? fresh.filesToChoose : [],
    leaveFor: (values: Values, before: Values, files: readonly string[]) => {
      const key = newKey();
      const left = {
        search,
        ticket,
        wizard: { ...shown, patient: { ...shown.patient, ...before } as WizardData["patient"] },
        files,
      };
      go({ search: `?form=${key}`, wizard: emptyForm(shown, key, values), ticket: unbound, left, filesToChoose: [] });
    },
    restoreLeftForm: () => isHere && fresh.left && go({ ...fresh.left, left: null, filesToChoose: fresh.left.files }),
  };
}

function emptyForm(wizard: WizardData, formKey: string, values: Values): WizardData {
  const nothing = {
    step: 1,
    availableStep: 1,
    referralId: null,
    version: null,
    isSent: false,
    provenance: null,
    saved: null,
    identity: null,
    awaiting: null,
    images: [],
    stagedImages: [],
    unfinished: [],
    journals: [],
    approval: null,
    staged: [],
    restored: null,
    ofOthers: [],
    unsaved: [],
  };
  return { ...wizard, ...nothing, formKey, patient: values as WizardData["patient"] };
}
