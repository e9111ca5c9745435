import { Form, type FormProps } from "@remix-run/react";
import { forwardRef } from "react";
import { DefaultIntent } from "~/ui/forms/button";
import { FormRound } from "~/ui/forms/file-input";
import { ANY_FORM_ID } from "./action-result";
import {
  useActionResult,
  useSentForm,
  useTimesSaved,
  type HeldTicket,
  type PageTicket,
  useFormTicket,
  usePageTicket,
} from "./use-action-result";

interface TicketFieldsProps {
  operation: string;
  ticket: HeldTicket;
  place?: string | undefined;
  item?: string | undefined;
  /**
   * The form may be gone when refused, e.g. a row's buttons after a colleague settled it; the shell then shows the
   * text.
   */
  isOfButtons?: boolean | undefined;
}

/** Hidden fields of a changing form, to be placed first. For plain `<form>`s; otherwise use `ActionForm`. */
export function TicketFields({ operation, ticket, place, item, isOfButtons = false }: TicketFieldsProps) {
  const { sealed, begun, person } = ticket;
  return (
    <>
      {/* On 'Back' browsers restore values of forms whose first names match; this name differs by person. Disabled, so not sent. */}
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
  others?: readonly string[];
  showsErrors?: boolean;
}

/**
 * A form that changes something. Carries its page's ticket, so that the server knows for whom and what it was opened,
 * and shows a refusal below its buttons.
 */
export const ActionForm = forwardRef<HTMLFormElement, ActionFormProps>(function ActionForm(props, ref) {
  return <TicketForm ref={ref} page={usePageTicket()} {...props} />;
});

/** The same without page data, e.g. in the shell around a failed page. */
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

function useRefusal(formIds: readonly string[]): string[] {
  const answer = useActionResult(formIds);
  const sent = useSentForm();
  // A network error is shown by the sent form, or by the page if that is gone.
  if (answer?.formId === ANY_FORM_ID && (sent === null || !formIds.includes(sent))) return [];
  return Object.values(answer?.submission?.error ?? {}).flatMap((texts) => texts ?? []);
}
