import { useState } from "react";
import { visitTypes } from "~/features/referrals/model/referral";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { Checkbox, RadioGroup } from "~/ui/forms/choices";
import type { Fact } from "~/ui/lists/summary-list";
import { TextField } from "~/ui/forms/text-field";
import { ShowOnChoice } from "~/ui/layout/early-scripts";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { EditForm } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";
import { useServerForm } from "~/http/forms/use-server-form";

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["details"]>;

export function ReferralForm({
  referral,
  values: current,
  saved,
}: {
  referral: OpenReferral;
  values: Values;
  saved: readonly Fact[];
}) {
  const values = useOpenedWith("editReferralDetails", current);
  const form = useServerForm<Values>("editReferralDetails", {
    defaultValue: values,
    labels: { visitType: "Henvisning type", externalId: "EDI id", externalDoctorId: "Henviser id" },
  });
  const { fields } = form;
  const hydrated = useHydrated();
  const [visitType, setVisitType] = useState(fields.visitType.defaultValue);
  return (
    <EditForm referral={referral} part="henvisning" form={form} saved={saved}>
      <ShowOnChoice />
      <div
        onChange={(event) =>
          (event.target as HTMLInputElement).name === "visitType" &&
          setVisitType((event.target as HTMLInputElement).value)
        }
      >
        <RadioGroup field={fields.visitType} label="Henvisning type" choices={visitTypes} />
      </div>
      {(!hydrated || visitType === "edi") && (
        <TextField
          field={fields.externalId}
          label="EDI id"
          required={visitType === "edi"}
          hint="Kun tal. Skal udfyldes for en EDI henvisning."
          inputMode="numeric"
          width={10}
          className={visitType === "edi" ? undefined : "unchosen:hidden"}
        />
      )}
      <TextField field={fields.externalDoctorId} label="Henviser id" width={10} autoComplete="off" />
      <Checkbox field={fields.makeTest} label="Testhenvisning" />
    </EditForm>
  );
}
