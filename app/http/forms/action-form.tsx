import { Form, type FormProps } from "@remix-run/react";
import { forwardRef } from "react";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { FormRound } from "~/ui/forms/form-round";
import { ANY_FORM_ID } from "./action-result";
import { useActionResult, useSentForm } from "./use-action-result";
import { useTimesSaved } from "./use-opened-with";
import { type HeldTicket, type PageTicket, useFormTicket, usePageTicket } from "./use-ticket";

interface TicketFieldsProps {
  /** The operation that is asked for where no button says which. */
  operation: string;
  /** What the form was opened for. */
  ticket: HeldTicket;
  /** Which of several forms of one operation it is; the answer belongs to it alone. */
  place?: string | undefined;
  /** The row of the page that it is about, `field:number`: one of the ticket's items. */
  item?: string | undefined;
  /** It may be gone when its refusal comes, as the buttons of a row are that a colleague has settled: then the shell says it. */
  isOfButtons?: boolean | undefined;
}

/** The hidden fields of a form that changes something, first in it. For `<form>`s that Remix does not send; every other one is an `ActionForm`. */
export function TicketFields({ operation, ticket, place, item, isOfButtons = false }: TicketFieldsProps) {
  const { sealed, begun, person } = ticket;
  return (
    <>
      {/* On 'Back' browsers fill in what was typed where a form's first names are equal: this one is another for another person. It is not sent. */}
      {person !== undefined && <input type="hidden" name={`person${person}`} disabled />}
      <input type="hidden" name="ticket" value={sealed} autoComplete="off" />
      {begun !== undefined && <input type="hidden" name="begun" value={begun} autoComplete="off" />}
      {item !== undefined && <input type="hidden" name="item" value={item} autoComplete="off" />}
      {place !== undefined && <input type="hidden" name="formId" value={place} autoComplete="off" />}
      {isOfButtons && <input type="hidden" name="isOfButtons" value="on" autoComplete="off" />}
      <DefaultIntent value={operation} />
    </>
  );
}

export interface ActionFormProps extends Omit<FormProps, "method">, Omit<TicketFieldsProps, "ticket" | "isOfButtons"> {
  /** The other operations that its buttons ask for. */
  others?: readonly string[];
  /** It shows its errors itself, beside its fields. */
  showsErrors?: boolean;
}

/**
 * A form that changes something. It carries the ticket of its page, so that the server knows for whom and for what it was opened, and it says what
 * became of it: a refusal stands under its buttons until the form is sent again.
 */
export const ActionForm = forwardRef<HTMLFormElement, ActionFormProps>(function ActionForm(props, ref) {
  return <TicketForm ref={ref} page={usePageTicket()} {...props} />;
});

/** The same where the page's data cannot be asked for, as in the shell around a page that failed. */
export const TicketForm = forwardRef<HTMLFormElement, ActionFormProps & { page: PageTicket }>(function TicketForm(
  { page, operation, others = [], place, item, showsErrors = false, children, ...rest },
  ref,
) {
  const formIds = [place ?? operation, ...others];
  const ticket = useFormTicket(formIds, page);
  const refused = useRefusal(formIds);
  const round = useTimesSaved(formIds);
  return (
    <Form method="post" ref={ref} key={ticket.subject} {...rest}>
      <TicketFields operation={operation} ticket={ticket} place={place} item={item} isOfButtons={!showsErrors} />
      <FormRound.Provider value={round}>{children}</FormRound.Provider>
      {!showsErrors && refused.length > 0 && (
        <p className="text-err font-semibold mt-2" role="alert">
          {refused.join(" ")}
        </p>
      )}
    </Form>
  );
});

/** Why the form was refused last, whichever of its buttons was pressed. */
function useRefusal(formIds: readonly string[]): string[] {
  const answer = useActionResult(formIds);
  const sent = useSentForm();
  // What never reached the server is said by the form that was sent, and by the page where that one is gone.
  if (answer?.formId === ANY_FORM_ID && (sent === null || !formIds.includes(sent))) return [];
  return Object.values(answer?.submission?.error ?? {}).flatMap((texts) => texts ?? []);
}
