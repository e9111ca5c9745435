import { useState } from "react";
import { visitTypes } from "~/features/referrals/model/referral";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { usePortalForm } from "~/http/forms/use-portal-form";
import { Checkbox, RadioGroup } from "~/ui/forms/choices";
import type { Fact } from "~/ui/lists/summary-list";
import { TextField } from "~/ui/forms/text-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { EditForm } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["case"]>;

/** Where the referral came from, the referrer's id at the clinic, and whether it is a test. */
export function CaseForm({
  referral,
  values: current,
  saved,
}: {
  referral: OpenReferral;
  values: Values;
  saved: readonly Fact[];
}) {
  const values = useOpenedWith("editCase", current);
  const { field, isTicked, faults, formErrors } = usePortalForm<Values>("editCase", values, {
    labels: { visitType: "Henvisning type", externalId: "EDI id", externalDoctorId: "Henviser id" },
  });
  const hydrated = useHydrated();
  const [visitType, setVisitType] = useState(field("visitType").defaultValue);
  return (
    <EditForm
      referral={referral}
      part="henvisning"
      intent="editCase"
      faults={faults}
      formErrors={formErrors}
      saved={saved}
    >
      <div
        onChange={(event) =>
          (event.target as HTMLInputElement).name === "visitType" &&
          setVisitType((event.target as HTMLInputElement).value)
        }
      >
        <RadioGroup
          name="visitType"
          label="Henvisning type"
          choices={visitTypes}
          defaultValue={field("visitType").defaultValue}
          error={field("visitType").error}
        />
      </div>
      {(!hydrated || visitType === "edi") && (
        <TextField
          {...field("externalId")}
          label="EDI id"
          required={visitType === "edi"}
          hint="Kun tal. Skal udfyldes for en EDI henvisning."
          inputMode="numeric"
          width={10}
        />
      )}
      <TextField {...field("externalDoctorId")} label="Henviser id" width={10} autoComplete="off" />
      <Checkbox
        name="makeTest"
        value="on"
        defaultChecked={isTicked("makeTest", "on", values.makeTest === "on")}
        label="Testhenvisning"
      />
    </EditForm>
  );
}
