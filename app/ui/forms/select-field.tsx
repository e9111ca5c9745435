import type { ReactNode, Ref, SelectHTMLAttributes } from "react";
import { classNames } from "~/ui/layout/class-names";
import {
  Field,
  fieldAria,
  type FieldTexts,
  type FieldWidth,
  hintIds,
  selectProps,
  splitField,
  widthClass,
} from "./field";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { type Tone, toneClass } from "~/ui/lists/chip";

export interface Choice {
  value: string | number;
  label: string;
  hint?: string | undefined;
  disabled?: boolean;
}

export function Options({ choices, empty }: { choices: readonly Choice[]; empty?: string }) {
  return (
    <>
      {empty !== undefined && <option value="">{empty}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled}>
          {choice.hint ? `${choice.label} · ${choice.hint}` : choice.label}
        </option>
      ))}
    </>
  );
}

export interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "required">, FieldTexts {
  name?: string;
  id?: string;
  choices: readonly Choice[];
  empty?: string;
  width?: FieldWidth;
  selectRef?: Ref<HTMLSelectElement>;
}

export function SelectField({ width = "full", choices, empty, selectRef, ...props }: SelectFieldProps) {
  const { around, attributes } = splitField(props);
  const { id, field, hint } = around;
  const isOwnMaster = attributes.value !== undefined;
  // Without an empty choice something is always chosen.
  const asked = { ...around, required: empty === undefined ? false : around.required };
  return (
    <Field {...asked}>
      <select
        {...(field && selectProps(field, { value: !isOwnMaster, ariaDescribedBy: hintIds(id, hint) }))}
        {...attributes}
        ref={selectRef}
        id={id}
        {...fieldAria(id, asked)}
        className={classNames("input", widthClass[width])}
      >
        <Options choices={choices} empty={empty} />
      </select>
    </Field>
  );
}

export interface IconSelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  tone: Tone;
  icon: IconName;
  label: string;
  children: ReactNode;
}

export function IconSelect({ tone, icon, label, children, ...rest }: IconSelectProps) {
  return (
    <span className={`isel ${toneClass[tone]}`}>
      <Icon name={icon} />
      <select {...rest} aria-label={label} className="input">
        {children}
      </select>
    </span>
  );
}
