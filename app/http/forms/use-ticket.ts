import { useLoaderData } from "@remix-run/react";
import { createContext, useContext, useState } from "react";
import { useActionResult } from "./use-action-result";
import { useOpenedWith } from "./use-opened-with";

export interface PageTicket {
  sealed: string;
  person?: number;
  subject: string;
}

export interface HeldTicket extends PageTicket {
  /** The ticket the form was begun with, before a conflict renewed it; its files are staged under it. */
  begun?: string | undefined;
}

export const NO_TICKET: PageTicket = { sealed: "", subject: "" };

const Inherited = createContext<PageTicket | null>(null);

/** For a page shown in another's place whose forms concern the other's subject. */
export const TicketProvider = Inherited.Provider;

export function usePageTicket(): PageTicket {
  const own = useLoaderData<{ ticket?: PageTicket } | null | undefined>()?.ticket;
  return useContext(Inherited) ?? own ?? NO_TICKET;
}

/**
 * The ticket a form was opened with: changes with its own answer only, or with another subject. A refused form keeps
 * its ticket, also without JavaScript. `formIds`: the form's id and its buttons' operations; `current`: the page's
 * ticket.
 */
export function useFormTicket(formIds: string[], current: PageTicket): HeldTicket {
  const answer = useActionResult(formIds);
  const sent = answer?.ticket?.subject === current.subject ? answer.ticket : undefined;
  const isConflict = answer?.refusal === "conflict";
  const opened = useOpenedWith<HeldTicket>(formIds, current, isConflict ? current : sent);
  const [subject, setSubject] = useState(current.subject);
  if (subject !== current.subject) setSubject(current.subject);
  const held = opened.subject === current.subject ? opened : current;
  return isConflict && sent ? { ...held, begun: sent.begun ?? sent.sealed } : held;
}
