import { useState } from "react";
import { usePortalForm } from "~/http/forms/use-portal-form";
import { Checkbox } from "~/ui/forms/choices";
import { DialogPage } from "~/ui/feedback/dialog";
import type { Fact } from "~/ui/lists/summary-list";
import { SelectField } from "~/ui/forms/select-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { ReferrerCombobox } from "~/components/referrer-picker/referrer-combobox";
import { FindReferrerForm, type Option, ReferrerRadios } from "~/components/referrer-picker/referrer-picker";
import { EditForm } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";
import { useEditPage } from "../../use-edit-page";

interface ReferrerDialogProps {
  referral: OpenReferral;
  form: NonNullable<NonNullable<OpenReferral["edit"]>["referrer"]>;
  saved: readonly Fact[];
}

/** 'Skift henviser', and the clinic with him where one may. */
export function ReferrerDialog({ referral, form, saved }: ReferrerDialogProps) {
  const { field, isTicked, faults, formErrors } = usePortalForm<{
    referrerId?: string;
    changeClinic?: string;
    clinicId?: string;
  }>("changeReferrer", {}, { firstInput: { referrerId: "referrerId-first" } });
  const hydrated = useHydrated();
  const { edit, back } = useEditPage(referral.id, "henviser");
  const [chosen, setChosen] = useState<Option | null>(form.chosen);
  const [withClinic, setWithClinic] = useState(isTicked("changeClinic", "on", false));
  const error = field("referrerId").error;
  return (
    <DialogPage title="Skift henviser" closeTo={back}>
      {!hydrated && <FindReferrerForm action={edit} />}
      <EditForm
        referral={referral}
        part="henviser"
        intent="changeReferrer"
        faults={faults}
        formErrors={formErrors}
        saved={saved}
        label="Skift henviser"
      >
        {hydrated ? (
          <ReferrerCombobox<Option>
            required
            choices={form.choices}
            chosen={chosen}
            onChoose={setChosen}
            error={error}
            action={edit}
          />
        ) : (
          <ReferrerRadios
            choices={form.choices}
            chosen={form.chosen}
            typed={field("referrerId").defaultValue}
            error={error}
          />
        )}
        {form.canChangeClinic && (
          <>
            <Checkbox
              name="changeClinic"
              value="on"
              defaultChecked={isTicked("changeClinic", "on", false)}
              onChange={(event) => setWithClinic(event.currentTarget.checked)}
              label="Vælg også klinik"
            />
            {(!hydrated || withClinic) && (
              <SelectField
                {...field("clinicId")}
                label="Klinik"
                choices={form.clinics}
                empty="Vælg klinik"
                defaultValue={field("clinicId").defaultValue ?? form.clinicId ?? ""}
              />
            )}
          </>
        )}
      </EditForm>
    </DialogPage>
  );
}
