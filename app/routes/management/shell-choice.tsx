import type { FormEvent } from "react";
import { TicketForm } from "~/http/forms/action-form";
import type { PageTicket } from "~/http/forms/use-ticket";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";

interface ShellChoiceProps {
  intent: string;
  /** The shell's ticket. */
  page: PageTicket;
  here: string;
  label: string;
  variant?: "outline" | "plain";
  pageForm: string | null;
  onSubmit(event: FormEvent): void;
}

/** A shell button: its own form, or a button of the page's form. */
export function ShellChoice({ intent, page, here, label, variant, pageForm, onSubmit }: ShellChoiceProps) {
  // Without a border its text aligns with the page's edge.
  const edge = variant === "plain" ? "desk:-ml-4" : undefined;
  if (pageForm !== null) {
    const action = `${paths.management}?to=${encodeURIComponent(here)}`;
    return (
      <div>
        <Button
          name="intent"
          value={intent}
          size="small"
          variant={variant}
          className={edge}
          form={pageForm}
          formAction={action}
          formMethod="post"
          formEncType="application/x-www-form-urlencoded"
        >
          {label}
        </Button>
      </div>
    );
  }
  return (
    <TicketForm page={page} operation={intent} action={paths.management} onSubmit={onSubmit}>
      <input type="hidden" name="to" value={here} />
      <Button name="intent" value={intent} size="small" variant={variant} className={edge}>
        {label}
      </Button>
    </TicketForm>
  );
}
