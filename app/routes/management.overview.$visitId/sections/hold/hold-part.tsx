import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { BACK_FROM_HOLD } from "~/features/referrals/model/missing-texts";
import { CLOSED } from "~/features/referrals/model/status";
import { useButtonState } from "~/http/forms/use-button-state";
import { useOpenedWith } from "~/http/forms/use-action-result";
import { useServerForm } from "~/http/forms/use-server-form";
import { showDay } from "~/text/dates";
import { Button } from "~/ui/forms/button";
import { DateField } from "~/ui/forms/date-field";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../edit-form";

const periods = [
  ["week", "1 uge"],
  ["month", "1 måned"],
  ["quarter", "3 måneder"],
] as const;

export function HoldPart({ referral }: { referral: OpenReferral }) {
  const { hold, status, statusVersion: version } = referral;
  const opened = useOpenedWith("holdReferral", { version, until: hold?.heldUntil });
  if (hold === null || (status === CLOSED && hold.heldUntil === undefined)) return null;
  return <HoldForm key={opened.version} referral={referral} opened={opened} hold={hold} />;
}

interface HoldFormProps {
  referral: OpenReferral;
  opened: { version: number; until: string | undefined };
  hold: NonNullable<OpenReferral["hold"]>;
}

function HoldForm({ referral, opened, hold }: HoldFormProps) {
  const here = useThisPage(referral.id);
  const state = useButtonState("holdReferral");
  const { form, fields, formErrors, isUnsaved } = useServerForm<{ until: string }>("holdReferral", {
    defaultValue: { until: opened.until ? showDay(opened.until) : "" },
    guarded: "path",
  });
  const note = hold.heldUntil ? `til ${showDay(hold.heldUntil)}` : hold.isBackFromHold ? BACK_FROM_HOLD : "Nej";
  return (
    <Disclosure line title="På vent" note={note} open={isUnsaved || formErrors.length > 0}>
      <ActionForm
        operation="holdReferral"
        showsErrors
        action={here}
        {...getFormProps(form, { ariaAttributes: false })}
        preventScrollReset
        className="stack-s"
      >
        <div className="row">
          {periods.map(([value, label]) => (
            <Button key={value} name="period" value={value} size="small">
              {label}
            </Button>
          ))}
        </div>
        <DateField
          field={fields.until}
          {...(formErrors.length > 0 ? { error: formErrors } : {})}
          label="På vent til"
          hint="Henvisningen står ikke i køerne, før dagen kommer, eller den får en anden status."
        />
        <div className="row">
          <Button name="intent" value="holdReferral" size="small" state={state}>
            Sæt på vent
          </Button>
          {hold.heldUntil && (
            <Button name="period" value="ended" variant="plain" size="small">
              Ophæv
            </Button>
          )}
        </div>
      </ActionForm>
    </Disclosure>
  );
}
