import { useRef, useState } from "react";
import { type UrgentAdvice, UrgentNotice } from "~/components/portal-text/urgent-notice";
import { choiceProps } from "~/features/referrals/model/facts";
import { URGENT } from "~/features/referrals/model/referral";
import { RadioGroup } from "~/ui/forms/choices";
import { SelectField } from "~/ui/forms/fields";
import type { FormField } from "~/ui/forms/field";
import { useHydrationHandover } from "~/ui/hooks/use-hydrated";

interface UrgencyPartProps {
  fields: Record<"referenceType" | "urgentReason" | "callType", FormField>;
  advice: UrgentAdvice | null;
}

/** Urgency and call-up. An urgent referral has a reason, and says whom to ring; without JavaScript both are always there. */
export function UrgencyPart({ fields, advice }: UrgencyPartProps) {
  const part = useRef<HTMLDivElement>(null);
  const stored = fields.referenceType.defaultValue ?? "0";
  const [{ type, before }, setChoice] = useState({ type: stored, before: stored });
  // The choice follows the page (`useFollowedFields`), and what it shows with it.
  if (before !== stored) setChoice({ type: stored, before: stored });
  const choose = (value: FormDataEntryValue | null) => setChoice({ type: String(value ?? stored), before: stored });
  const isByScript = useHydrationHandover(part, (standing) => choose(standing.get("referenceType")));
  const isUrgent = Number(type) === URGENT;
  return (
    <div
      ref={part}
      onChange={({ target }) => {
        const { name, value } = target as HTMLInputElement;
        if (name === "referenceType") choose(value);
      }}
    >
      <div className="fields-row">
        <RadioGroup segmented field={fields.referenceType} {...choiceProps("referenceType")} />
        <RadioGroup segmented field={fields.callType} {...choiceProps("callType")} />
      </div>
      {(!isByScript || isUrgent) && (
        <SelectField
          field={fields.urgentReason}
          {...choiceProps("urgentReason")}
          optional
          width={20}
          className={isUrgent ? "mt-4" : "mt-4 unchosen:hidden"}
        />
      )}
      {advice && (!isByScript || isUrgent) && (
        <UrgentNotice advice={advice} className={isUrgent ? "mt-3" : "mt-3 unchosen:hidden"} />
      )}
    </div>
  );
}
