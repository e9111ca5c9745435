import { Link, useLocation } from "@remix-run/react";
import { paths } from "~/paths";
import { type ReactNode, useRef } from "react";
import { ActionForm, IntentButton, type useServerForm } from "~/http/forms/action-form";
import { buttonClass, ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useFocusFirstField } from "~/ui/hooks/use-focus";
import type { OpenReferral } from "./open-referral";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";

export const useThisPage = (referralId: number) => `${paths.referral(referralId)}${useLocation().search}`;

export function useEditPage(referralId: number, part: string) {
  const query = new URLSearchParams(useLocation().search);
  query.delete("ret");
  query.delete("find");
  const page = (more: Record<string, string>) => {
    const whole = new URLSearchParams([...query, ...Object.entries(more)]).toString();
    return whole === "" ? paths.referral(referralId) : `${paths.referral(referralId)}?${whole}`;
  };
  // Without JavaScript the browser scrolls to the form.
  return { edit: `${page({ ret: part })}#ret-${part}`, back: page({}) };
}

/** Opens the form of the call-up, as the parts below open theirs. */
export const CALL_UP_PART = "indkaldelse";

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
  form: Pick<ReturnType<typeof useServerForm<any>>, "form" | "opened" | "summary">;
  label?: string;
  icon?: IconName;
  children: ReactNode;
}

/** A section's form in place: errors, fields, and buttons. */
export function EditForm({
  referral,
  part,
  form: { form, opened, summary },
  label = "Gem",
  icon = "save",
  children,
}: EditFormProps) {
  const { edit, back } = useEditPage(referral.id, part);
  const intent = formOf[part];
  const place = useRef<HTMLDivElement>(null);
  useFocusFirstField(place, `.referral a[href*="ret=${part}"]`);
  return (
    <div id={`ret-${part}`} ref={place}>
      <ActionForm
        operation={intent}
        action={edit}
        of={form}
        opened={opened}
        preventScrollReset
        className="stack max-w-[640px] [&>*+.fields-row]:mt-[10px] [&>.errors+.fields-row]:mt-4"
      >
        <input type="hidden" name="to" value={back} />
        <ErrorSummary {...summary("Der er ikke gemt.")} />
        {children}
        <div className="row">
          <IntentButton value={intent} variant="primary" icon={icon}>
            {label}
          </IntentButton>
          <ButtonLink to={back} variant="plain" preventScrollReset data-discards>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </div>
  );
}

export function EditLink({
  referralId,
  part,
  icon = "edit",
  label,
  children = "Ret",
}: {
  referralId: number;
  part: string;
  icon?: IconName;
  label?: string;
  children?: string;
}) {
  return (
    <Link
      to={useEditPage(referralId, part).edit}
      className={buttonClass({ variant: "plain", size: "small", fit: "tight" })}
      preventScrollReset
      aria-label={label}
    >
      <Icon name={icon} size={18} className="mr-1.5" />
      <span>{children}</span>
    </Link>
  );
}
