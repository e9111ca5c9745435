import { useLoaderData } from "@remix-run/react";
import { createContext, useContext, useState } from "react";
import { useOpenedWith } from "./use-opened-with";

/** What a page's forms were made for (access/form-ticket.server.ts), as its loader hands it over. */
export interface PageTicket {
  sealed: string;
  /** Equal for two readings of one subject. */
  subject: string;
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
 * another subject begins anew. `formIds`: the form's own id, and the operations of its buttons; `current`: the page's.
 */
export function useFormTicket(formIds: string[], current: PageTicket): PageTicket {
  const opened = useOpenedWith(formIds, current);
  const [subject, setSubject] = useState(current.subject);
  if (subject !== current.subject) setSubject(current.subject);
  return opened.subject === current.subject ? opened : current;
}
