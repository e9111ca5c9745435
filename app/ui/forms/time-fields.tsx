import { twoDigits } from "~/text/numbers";
import type { FieldTexts, FormField } from "./field";
import { type Choice, SelectField } from "./fields";

const choice = (part: number): Choice => ({ value: twoDigits(part), label: twoDigits(part) });

export const hourChoices: readonly Choice[] = Array.from({ length: 14 }, (_, i) => choice(i + 7));
export const minuteChoices: readonly Choice[] = Array.from({ length: 12 }, (_, i) => choice(i * 5));

export interface TimeFieldsProps extends Pick<FieldTexts, "error" | "required"> {
  fields?: { hour: FormField; minute: FormField };
  hourName?: string;
  minuteName?: string;
  idPrefix?: string;
  hour?: string | null;
  minute?: string | null;
  hourLabel?: string;
  minuteLabel?: string;
  empty?: string;
  form?: string;
  disabled?: boolean;
}

/** Hour and minute as selects, 24-hour clock; a missing minute is '00'. */
export function TimeFields({
  fields,
  hourName = "",
  minuteName = "",
  idPrefix = "",
  hour = fields?.hour.defaultValue,
  minute = fields?.minute.defaultValue,
  hourLabel = "Time",
  minuteLabel = "Minut",
  empty,
  error,
  required,
  form,
  disabled,
}: TimeFieldsProps) {
  return (
    <div className="fields-row">
      <SelectField
        field={fields?.hour}
        {...(fields ? {} : { name: hourName, id: idPrefix + hourName })}
        label={hourLabel}
        choices={hourChoices}
        width={2}
        empty={empty}
        defaultValue={hour ?? (empty === undefined ? "07" : "")}
        {...{ error, required, form, disabled }}
      />
      <SelectField
        field={fields?.minute}
        {...(fields ? {} : { name: minuteName, id: idPrefix + minuteName })}
        label={minuteLabel}
        choices={minuteChoices}
        width={2}
        defaultValue={minute || "00"}
        {...{ form, disabled }}
      />
    </div>
  );
}
