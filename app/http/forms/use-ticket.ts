import { useLoaderData } from "@remix-run/react";
import { createContext, useContext, useState } from "react";
import { useActionResult } from "./use-action-result";
import { useOpenedWith } from "./use-opened-with";

/** What a page's forms were made for (access/form-ticket.server.ts), as its loader hands it over. */
export interface PageTicket {
  sealed: string;
  /** The number of the person whom the page was made for. */
  person?: number;
  /** Equal for two readings of one subject. */
  subject: string;
}

/** The ticket that a form holds. */
export interface HeldTicket extends PageTicket {
  /** The one that the form was begun with, where a conflict gave it a newer one: its files wait under that. */
  begun?: string | undefined;
}

export const NO_TICKET: PageTicket = { sealed: "", subject: "" };

const Inherited = createContext<PageTicket | null>(null);

/** For a page that stands in another one's place and whose forms are about the other's subject. */
export const TicketProvider = Inherited.Provider;

/** The ticket of the page that a component belongs to, as it was read last. */
export function usePageTicket(): PageTicket {
  const own = useLoaderData<{ ticket?: PageTicket } | null | undefined>()?.ticket;
  return useContext(Inherited) ?? own ?? NO_TICKET;
}

/**
 * The ticket that a form was opened with. It changes with the form's own answer, never with a re-read of the page behind it; a page that has come to
 * another subject begins anew. A form that was refused goes on with the ticket it was sent with, also without JavaScript. `formIds`: the form's own id, and the operations of its buttons; `current`: the page's.
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
