import type { FormEvent } from "react";
import { TicketForm } from "~/http/forms/action-form";
import type { PageTicket } from "~/http/forms/use-ticket";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";

interface ShellChoiceProps {
  intent: string;
  /** The shell's. */
  page: PageTicket;
  here: string;
  label: string;
  variant?: "outline" | "plain";
  /** The form of the page that is sent along, where the page is loaded anew. */
  pageForm: string | null;
  onSubmit(event: FormEvent): void;
}

/** One of the shell's own buttons: a form of its own, or a button of the page's form. */
export function ShellChoice({ intent, page, here, label, variant, pageForm, onSubmit }: ShellChoiceProps) {
  // Without a frame, its words stand at the edge of the page.
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
