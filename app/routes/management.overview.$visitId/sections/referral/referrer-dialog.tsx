import { useState } from "react";
import { Checkbox } from "~/ui/forms/choices";
import { DialogPage } from "~/ui/feedback/dialog";
import type { Fact } from "~/ui/lists/summary-list";
import { SelectField } from "~/ui/forms/select-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { ReferrerCombobox } from "~/components/referrer-picker/referrer-combobox";
import {
  FindReferrerForm,
  type Option,
  ReferrerRadios,
  standingChoice,
} from "~/components/referrer-picker/referrer-picker";
import { EditForm } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";
import { useEditPage } from "../../use-edit-page";
import { useServerForm } from "~/http/forms/use-server-form";

interface ReferrerDialogProps {
  referral: OpenReferral;
  form: NonNullable<NonNullable<OpenReferral["edit"]>["referrer"]>;
  saved: readonly Fact[];
}

export function ReferrerDialog({ referral, form, saved }: ReferrerDialogProps) {
  const referrer = useServerForm<{
    referrerId?: string;
    referrerIdText?: string;
    changeClinic?: string;
    clinicId?: string;
  }>("changeReferrer", {
    defaultValue: { clinicId: form.clinicId === null ? "" : String(form.clinicId) },
    firstInput: { referrerId: "referrerId-first" },
  });
  const { fields } = referrer;
  const hydrated = useHydrated();
  const { edit, back } = useEditPage(referral.id, "henviser");
  const [chosen, setChosen] = useState<Option | null>(standingChoice(form.chosen, fields.referrerIdText.defaultValue));
  const [withClinic, setWithClinic] = useState(fields.changeClinic.defaultChecked ?? false);
  const error = fields.referrerId.errors;
  return (
    <DialogPage title="Skift henviser" about={`${referral.patient.name}, nr. ${referral.id}`} closeTo={back}>
      {!hydrated && <FindReferrerForm action={edit} />}
      <EditForm referral={referral} part="henviser" form={referrer} saved={saved} label="Skift henviser">
        {hydrated ? (
          <ReferrerCombobox<Option>
            required
            choices={form.choices}
            chosen={chosen}
            onChoose={setChosen}
            typed={fields.referrerIdText.defaultValue}
            error={error}
            action={edit}
          />
        ) : (
          <ReferrerRadios
            choices={form.choices}
            chosen={form.chosen}
            typed={fields.referrerId.defaultValue}
            error={error}
          />
        )}
        {form.canChangeClinic && (
          <>
            <Checkbox
              field={fields.changeClinic}
              onChange={(event) => setWithClinic(event.currentTarget.checked)}
              label="Vælg også klinik"
            />
            {(!hydrated || withClinic) && (
              <SelectField field={fields.clinicId} label="Klinik" choices={form.clinics} empty="Vælg klinik" />
            )}
          </>
        )}
      </EditForm>
    </DialogPage>
  );
}
