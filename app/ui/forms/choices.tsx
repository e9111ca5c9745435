import { type InputHTMLAttributes, type ReactNode, useRef, useState } from "react";
import { fieldAria, FieldSet, type FieldTexts, type FormField, inputProps, NOT_RESTORED } from "./field";
import type { Choice } from "./fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Button } from "./button";

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "children"> {
  field?: FormField;
  value?: string | number;
  label: ReactNode;
}

export function Checkbox({ field, label, className, value, ...rest }: CheckboxProps) {
  const box = field && inputProps(field, { type: "checkbox", value: value === undefined ? "on" : String(value) });
  return (
    <label className={className ? `check ${className}` : "check"}>
      <input
        {...NOT_RESTORED}
        {...box}
        {...(field ? { id: value === undefined ? field.id : `${field.id}-${value}` } : { value })}
        {...rest}
        type="checkbox"
        className="box"
      />
      <span>{label}</span>
    </label>
  );
}

export interface RowCheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type"> {
  label: string;
}

export function RowCheckbox({ label, ...rest }: RowCheckboxProps) {
  return (
    <label className="hit">
      <input {...NOT_RESTORED} {...rest} type="checkbox" className="box" aria-label={label} />
    </label>
  );
}

interface CheckboxGroupProps extends FieldTexts {
  field: FormField;
  choices: readonly Choice[];
  defaultValues?: readonly (string | number)[];
  /** Adds 'Vælg alle', sent as `<name>All` without JavaScript. */
  selectAll?: boolean;
}

/** `selectAll` comes with 'Kun denne' at each choice, which needs JavaScript and more room than a phone has. */
export function CheckboxGroup({
  field,
  choices,
  defaultValues = field.defaultOptions ?? [],
  selectAll,
  ...texts
}: CheckboxGroupProps) {
  const { name, id } = field;
  const list = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const [count, setCount] = useState(defaultValues.length);

  const possible = choices.filter((choice) => !choice.disabled).length;
  const boxes = () => Array.from(list.current?.querySelectorAll<HTMLInputElement>("input:not(:disabled)") ?? []);
  const recount = () => setCount(boxes().filter((box) => box.checked).length);
  const tickOnly = (value: string | number) => {
    for (const box of boxes()) box.checked = box.value === String(value);
    recount();
  };

  return (
    <FieldSet id={id} field={field} {...texts} className="max-w-none">
      {selectAll && !hydrated && <Checkbox name={`${name}All`} value="on" label="Vælg alle" />}
      {selectAll && hydrated && (
        <label className="check">
          <input
            ref={(box) => {
              // HTML has no attribute for it.
              if (box) box.indeterminate = count > 0 && count < possible;
            }}
            {...NOT_RESTORED}
            type="checkbox"
            className="box"
            checked={count > 0 && count === possible}
            onChange={(event) => {
              for (const box of boxes()) box.checked = event.currentTarget.checked;
              recount();
            }}
          />
          <span>Vælg alle</span>
        </label>
      )}
      <div ref={list} className="choices" onChange={recount}>
        {choices.map(({ value, label, disabled }) => (
          <div key={value} className="choice">
            <Checkbox
              name={name}
              value={value}
              label={label}
              disabled={disabled}
              defaultChecked={defaultValues.some((ticked) => String(ticked) === String(value))}
            />
            {selectAll && (
              <Button
                type="button"
                variant="plain"
                size="small"
                fit="tight"
                className="hidden table:scripts:inline-flex"
                onClick={() => tickOnly(value)}
              >
                Kun <span className="sr-only">{label}</span>
                <span aria-hidden="true">denne</span>
              </Button>
            )}
          </div>
        ))}
      </div>
    </FieldSet>
  );
}

export interface RadioGroupProps extends FieldTexts {
  name?: string;
  id?: string;
  choices: readonly Choice[];
  defaultValue?: string | number;
  form?: string;
  segmented?: boolean;
}

/** One of a few; above 50 choices a page searches first. */
export function RadioGroup({
  field,
  name = field?.name ?? "",
  id = field?.id ?? name,
  choices,
  defaultValue = field?.defaultValue,
  form,
  segmented,
  ...texts
}: RadioGroupProps) {
  const radios = choices.map((choice, index) => (
    <label key={choice.value} className={segmented ? "segment" : "check"}>
      <input
        {...NOT_RESTORED}
        type="radio"
        className={segmented ? undefined : "box"}
        id={index === 0 ? `${id}-first` : undefined}
        name={name}
        form={form}
        value={choice.value}
        disabled={choice.disabled}
        defaultChecked={String(choice.value) === String(defaultValue ?? "")}
        aria-describedby={fieldAria(id, { error: texts.error ?? field?.errors })["aria-describedby"]}
      />
      <span>
        {choice.label}
        {choice.hint && <span className="meta block">{choice.hint}</span>}
      </span>
    </label>
  ));
  return (
    <FieldSet id={id} field={field} {...texts}>
      {segmented ? <div className="segments">{radios}</div> : radios}
    </FieldSet>
  );
}
