import { useLocation, useNavigate, useRouteLoaderData } from "@remix-run/react";
import { useState } from "react";
import { NO_TICKET, type PageTicket, usePageTicket } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import type { WizardData } from "../../present";

type Values = Partial<NonNullable<WizardData["patient"]>>;

export interface LeftForm {
  search: string;
  wizard: WizardData;
  ticket: PageTicket;
  files: readonly string[];
}

interface NewForm {
  search: string;
  wizard: WizardData;
  ticket: PageTicket;
  left: LeftForm | null;
  filesToChoose: readonly string[];
  from: string;
  hasArrived: boolean;
}

/** Created by the browser, since only JavaScript uses it; the server accepts any unique key. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Opens a new form when another CPR number is typed, since that is another patient. Until the next page the former form
 * can be restored with its values; unsent files must be chosen again (docs/rules/referral-form.md, 0070).
 */
export function useNewFormOnCprChange(wizard: WizardData) {
  const [fresh, setFresh] = useState<NewForm | null>(null);
  const { search } = useLocation();
  const navigate = useNavigate();
  // From the keystroke on, before the address changes: otherwise the former patient's form would show the new number.
  const isHere = fresh !== null && (search === fresh.search || (!fresh.hasArrived && search === fresh.from));
  if (isHere && !fresh.hasArrived && search === fresh.search) setFresh({ ...fresh, hasArrived: true });
  // Returning from another page shows the server's state, which may be newer.
  if (fresh !== null && !isHere) setFresh(null);
  const ofPage = usePageTicket();
  // Bound to the person only: the page's ticket is the former patient's until the address has changed.
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
    underOtherNumbers: [],
    unsaved: [],
  };
  return { ...wizard, ...nothing, formKey, patient: values as WizardData["patient"] };
}
