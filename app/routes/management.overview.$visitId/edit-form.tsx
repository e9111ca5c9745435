import { getFormProps } from "@conform-to/react";
import { type ReactNode, useRef } from "react";
import { SavedNow } from "~/components/saved-now/saved-now";
import { ActionForm } from "~/http/forms/action-form";
import type { useServerForm } from "~/http/forms/use-server-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { Button, ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { type Fact, SummaryList } from "~/ui/lists/summary-list";
import { useFocusFirstField } from "~/ui/hooks/use-focus-first-field";
import type { OpenReferral } from "./open-referral";
import { useEditPage } from "./use-edit-page";

/** Form of each section by its name in the address. */
export const formOf = {
  patient: "editPatient",
  henvisning: "editReferralDetails",
  plan: "editPlan",
  henviser: "changeReferrer",
  materiale: "askForMaterial",
} as const;

interface EditFormProps {
  referral: OpenReferral;
  part: keyof typeof formOf;
  /** Returned by `useServerForm`. */
  form: Pick<ReturnType<typeof useServerForm<any>>, "form" | "summary">;
  saved: readonly Fact[];
  label?: string;
  children: ReactNode;
}

/** A section's form in place: errors, fields, and buttons. After a conflict it shows both versions. */
export function EditForm({ referral, part, form: { form, summary }, saved, label = "Gem", children }: EditFormProps) {
  const { edit, back } = useEditPage(referral.id, part);
  const intent = formOf[part];
  const state = useButtonState(intent);
  const place = useRef<HTMLDivElement>(null);
  useFocusFirstField(place, `.referral a[href*="ret=${part}"]`);
  return (
    <div id={`ret-${part}`} ref={place}>
      <ActionForm
        operation={intent}
        showsErrors
        action={edit}
        {...getFormProps(form)}
        preventScrollReset
        className="stack max-w-[640px] [&>*+.fields-row]:mt-[10px] [&>.errors+.fields-row]:mt-4"
      >
        <input type="hidden" name="to" value={back} />
        <ErrorSummary {...summary("Der er ikke gemt.")} />
        <SavedNow
          formId={intent}
          savedBy={referral.modifierName && `gemt af ${referral.modifierName} ${referral.modifiedAt}`}
          button={label}
        >
          <SummaryList facts={saved} />
        </SavedNow>
        {children}
        <div className="row">
          <Button name="intent" value={intent} variant="primary" icon="save" state={state}>
            {label}
          </Button>
          <ButtonLink to={back} variant="plain" preventScrollReset data-discards>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </div>
  );
}
