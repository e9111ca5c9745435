import { materialKinds, NOTE_LIMIT, WORDS_LIMIT } from "~/features/referrals/material/material-kinds";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { useServerForm } from "~/http/forms/use-server-form";
import { CheckboxGroup } from "~/ui/forms/choices";
import { TextArea, TextField } from "~/ui/forms/text-field";
import { EditForm } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["material"]>;

const labels = { kinds: "Hvad mangler?", otherText: "Andet, som mangler", note: "Besked til henviseren" };

export function MaterialForm({ referral, values }: { referral: OpenReferral; values: Values }) {
  const form = useServerForm<Values>("askForMaterial", {
    defaultValue: useOpenedWith("askForMaterial", values),
    firstInput: { kinds: `askForMaterial-kinds-${materialKinds[0]!.value}` },
    labels,
  });
  const { fields } = form;
  const isChange = values.kinds.length > 0;
  return (
    <EditForm
      referral={referral}
      part="materiale"
      form={form}
      saved={[
        { label: "Status", value: referral.statusLabel },
        { label: "Mangler", value: referral.material?.lines.map(({ label }) => label).join(", ") },
      ]}
      label={isChange ? "Gem listen" : "Bed om materialet"}
    >
      <CheckboxGroup field={fields.kinds} label={labels.kinds} choices={materialKinds} />
      <TextField field={fields.otherText} label={labels.otherText} maxLength={WORDS_LIMIT} autoComplete="off" />
      <TextArea
        field={fields.note}
        label={labels.note}
        hint={
          isChange
            ? undefined
            : "Henviseren får en mail om, at der mangler noget. Listen og beskeden står kun i portalen."
        }
        rows={2}
        limit={NOTE_LIMIT}
        optional
      />
    </EditForm>
  );
}
