import { patientLabels } from "~/features/referrals/model/patient-labels";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { usePortalForm } from "~/http/forms/use-portal-form";
import { Checkbox } from "~/ui/forms/choices";
import type { Fact } from "~/ui/lists/summary-list";
import { CprField } from "~/ui/forms/cpr-field";
import { Pair } from "~/ui/layout/page";
import { TextField } from "~/ui/forms/text-field";
import { EditForm } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["patient"]>;

/** Everything about the patient that can be corrected; required are CPR, names, zip and city. */
export function PatientForm({
  referral,
  values: current,
  saved,
}: {
  referral: OpenReferral;
  values: Values;
  saved: readonly Fact[];
}) {
  const values = useOpenedWith("editPatient", current);
  const { field, isTicked, faults, formErrors } = usePortalForm<Values>("editPatient", values, {
    firstInput: { cpr6: "editPatient-cpr6-6" },
    labels: patientLabels,
  });
  return (
    <EditForm
      referral={referral}
      part="patient"
      intent="editPatient"
      faults={faults}
      formErrors={formErrors}
      saved={saved}
    >
      <CprField
        id={field("cpr6").id}
        required
        defaultValue6={field("cpr6").defaultValue}
        defaultValue4={field("cpr4").defaultValue}
        error={field("cpr6").error}
      />
      <Pair>
        <TextField {...field("firstName")} label="Fornavn" required autoComplete="off" />
        <TextField {...field("lastName")} label="Efternavn" required autoComplete="off" />
      </Pair>
      <TextField {...field("address")} label="Adresse" autoComplete="off" />
      <Pair narrow>
        <TextField {...field("zip")} label="Postnr." required inputMode="numeric" autoComplete="off" />
        <TextField {...field("city")} label="By" required autoComplete="off" />
      </Pair>
      <Pair>
        <TextField {...field("mobilePhone")} label="Mobil" type="tel" autoComplete="off" />
        <TextField {...field("phone")} label="Telefon" type="tel" autoComplete="off" />
      </Pair>
      <TextField {...field("email")} label="E-mail" type="email" autoComplete="off" />
      <Checkbox
        name="patientDoesntHaveEboks"
        value="on"
        defaultChecked={isTicked("patientDoesntHaveEboks", "on", values.patientDoesntHaveEboks === "on")}
        label="Patienten har ikke e-Boks"
      />
    </EditForm>
  );
}
