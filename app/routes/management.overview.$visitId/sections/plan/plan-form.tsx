import { type FormEvent, useRef } from "react";
import { FORCE_EXPORT, SEND_RADIOGRAPHS } from "~/features/referrals/model/referral";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { useServerForm } from "~/http/forms/use-server-form";
import { CLINICAL_LIMIT } from "~/text/limits";
import { showCount } from "~/text/numbers";
import { Checkbox } from "~/ui/forms/choices";
import { inputProps } from "~/ui/forms/control-props";
import type { Fact } from "~/ui/lists/summary-list";
import { DateField } from "~/ui/forms/date-field";
import { SelectField } from "~/ui/forms/select-field";
import { TextArea, TextField } from "~/ui/forms/text-field";
import { TimeFields } from "~/ui/forms/time-fields";
import { EditForm } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";

type Plan = NonNullable<NonNullable<OpenReferral["edit"]>["plan"]>;

/** Plan fields in order: with JavaScript choosing moves the focus on. Typing does not. */
const inOrder = ["operationDate", "operationTimeHours", "operationTimeMinutes", "operationDuration"];

const labels = {
  operationDate: "Dato",
  operationTimeHours: "Time",
  operationTimeMinutes: "Minut",
  operationDuration: "Varighed",
  treatmentType: "Behandlingstype",
  surgeonId: "Kirurg",
  price: "Pris",
  surgeonComment: "Kommentar",
  notNeedTreatmentComment: "Kommentar til status",
};

export function PlanForm({
  referral,
  form: current,
  saved,
}: {
  referral: OpenReferral;
  form: Plan;
  saved: readonly Fact[];
}) {
  const opened = useOpenedWith("editPlan", current);
  const form = useServerForm<Plan["values"]>("editPlan", { defaultValue: opened.values, labels });
  const { fields } = form;
  const times = useRef<HTMLDivElement>(null);
  // Arrow keys step through a select, so focus then moves by Tab only.
  const isByArrows = useRef(false);
  function leadOn({ target, nativeEvent }: FormEvent) {
    const { name, value: typed } = target as HTMLInputElement;
    if (target instanceof HTMLSelectElement && isByArrows.current) return;
    // Typing has an `inputType`; the calendar inserts a whole date.
    const isWhole = name === "operationDate" ? !("inputType" in nativeEvent) && typed !== "" : typed !== "";
    const next = inOrder[inOrder.indexOf(name) + 1];
    if (inOrder.includes(name) && isWhole && next)
      times.current?.querySelector<HTMLElement>(`[name="${next}"]`)?.focus();
  }
  return (
    <EditForm referral={referral} part="plan" form={form} saved={saved} label="Gem plan">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only watches how its fields are filled in */}
      <div
        ref={times}
        className="fields-row"
        role="group"
        aria-label="Tidspunkt"
        onInput={leadOn}
        onKeyDown={({ key }) => void (isByArrows.current = key !== "Enter")}
        onPointerDown={() => void (isByArrows.current = false)}
      >
        <DateField field={fields.operationDate} label="Dato" />
        <TimeFields fields={{ hour: fields.operationTimeHours, minute: fields.operationTimeMinutes }} empty="–" />
        <TextField field={fields.operationDuration} label="Varighed, min." inputMode="numeric" width={4} />
      </div>
      <div className="fields-row">
        <SelectField
          field={fields.treatmentType}
          label="Behandlingstype"
          choices={opened.treatmentTypes}
          empty="Ingen"
          className="min-w-0 flex-[1_1_200px]"
        />
        <SelectField
          field={fields.surgeonId}
          label="Kirurg"
          choices={opened.surgeons}
          empty="Ingen"
          className="min-w-0 flex-[1_1_200px]"
        />
        <TextField field={fields.price} label="Pris, kr." inputMode="decimal" width={10} />
      </div>
      <TextArea
        field={fields.surgeonComment}
        limit={CLINICAL_LIMIT}
        hint={`Højst ${showCount(CLINICAL_LIMIT)} tegn.`}
        label="Kommentar"
        rows={2}
      />
      {opened.isDeclined ? (
        <TextArea
          field={fields.notNeedTreatmentComment}
          limit={CLINICAL_LIMIT}
          hint={`Højst ${showCount(CLINICAL_LIMIT)} tegn.`}
          label="Kommentar til status"
          rows={2}
        />
      ) : (
        <input {...inputProps(fields.notNeedTreatmentComment, { type: "hidden" })} />
      )}
      <Checkbox field={fields.sendRadiographToPatient} label={SEND_RADIOGRAPHS} />
      <Checkbox field={fields.forceRadiographExport} label={FORCE_EXPORT} />
    </EditForm>
  );
}
