import { twoDigits } from "~/text/numbers";
import type { FieldTexts, FormField } from "./field";
import { type Choice, SelectField } from "./fields";

const choice = (part: number): Choice => ({ value: twoDigits(part), label: twoDigits(part) });

export const hourChoices: readonly Choice[] = Array.from({ length: 14 }, (_, i) => choice(i + 7));
export const minuteChoices: readonly Choice[] = Array.from({ length: 12 }, (_, i) => choice(i * 5));

/** With the stored part where it is not offered, e.g. of an imported time; the browser would choose another instead. */
const including = (choices: readonly Choice[], stored: string | undefined): readonly Choice[] =>
  !stored || choices.some(({ value }) => value === stored) ? choices : [{ value: stored, label: stored }, ...choices];

interface TimeFieldsProps extends Pick<FieldTexts, "error" | "required"> {
  fields: { hour: FormField; minute: FormField };
  empty?: string;
}

/** Hour and minute as selects, 24-hour clock; a missing minute is '00'. */
export function TimeFields({ fields: { hour, minute }, empty, error, required }: TimeFieldsProps) {
  return (
    <div className="fields-row">
      <SelectField
        field={hour}
        label="Time"
        choices={including(hourChoices, hour.defaultValue)}
        width={2}
        empty={empty}
        defaultValue={hour.defaultValue ?? (empty === undefined ? "07" : "")}
        error={error}
        required={required}
      />
      <SelectField
        field={minute}
        label="Minut"
        choices={including(minuteChoices, minute.defaultValue)}
        width={2}
        defaultValue={minute.defaultValue || "00"}
      />
    </div>
  );
}
