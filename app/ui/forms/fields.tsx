import {
  type InputHTMLAttributes,
  type RefObject,
  type TextareaHTMLAttributes,
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
} from "react";
import { countCharacters } from "~/text/limits";
import { showCount } from "~/text/numbers";
import { classNames } from "~/ui/layout/class-names";
import {
  Field,
  fieldAria,
  type FieldTexts,
  type FieldWidth,
  hintIds,
  hintLine,
  inputProps,
  splitField,
  textareaProps,
  widthClass,
  NOT_RESTORED,
  selectProps,
  besideButton,
  inField,
} from "./field";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { type Tone, toneClass } from "~/ui/lists/chip";
import { useHydrated } from "~/ui/hooks/use-hydrated";

type TextType = "text" | "email" | "tel" | "password" | "date";

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "required" | "type">, FieldTexts {
  name?: string;
  /** Default the name; required if a page has the field twice. */
  id?: string;
  type?: TextType;
  width?: FieldWidth;
}

export function TextField({ width = "full", type = "text", ...props }: TextFieldProps) {
  const { around, attributes } = splitField(props);
  const { id, field, hint } = around;
  return (
    <Field {...around}>
      <input
        {...(field && inputProps(field, { type, ariaDescribedBy: hintIds(id, hint) }))}
        {...attributes}
        type={type}
        id={id}
        {...fieldAria(id, around)}
        className={classNames("input", widthClass[width])}
      />
    </Field>
  );
}

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "required">, FieldTexts {
  name?: string;
  id?: string;
  /** Maximum characters, stated in a hint. With JavaScript the count appears from nine tenths on. */
  limit?: number;
}

export function TextArea({ limit, ...props }: TextAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { around, attributes } = splitField(props);
  const { id, field, hint } = around;
  const length = limit === undefined ? undefined : `${id}-length`;
  return (
    <Field {...around}>
      <textarea
        {...(field && textareaProps(field, { ariaDescribedBy: hintIds(id, hint, length) }))}
        rows={3}
        {...attributes}
        ref={area}
        id={id}
        {...fieldAria(id, around, length)}
        className="input"
      />
      {limit !== undefined && (
        <LengthNote
          id={id}
          area={area}
          limit={limit}
          served={String(field?.initialValue ?? attributes.defaultValue ?? "")}
        />
      )}
    </Field>
  );
}

const REST_MS = 1000;

interface LengthNoteProps {
  id: string;
  area: RefObject<HTMLTextAreaElement>;
  limit: number;
  served: string;
}

function LengthNote({ id, area, limit, served }: LengthNoteProps) {
  const [length, setLength] = useState(countCharacters(served));
  const [heard, setHeard] = useState(0);
  useEffect(() => {
    const field = area.current;
    if (field === null) return;
    const count = () => setLength(countCharacters(field.value));
    count();
    field.addEventListener("input", count);
    return () => field.removeEventListener("input", count);
  }, [area]);
  useEffect(() => {
    const timer = setTimeout(() => setHeard(length), REST_MS);
    return () => clearTimeout(timer);
  }, [length]);
  const words = (count: number) => {
    if (count < 0.9 * limit) return "";
    return count > limit
      ? `${showCount(count)} af ${showCount(limit)} tegn: ${showCount(count - limit)} for mange.`
      : `${showCount(count)} af ${showCount(limit)} tegn.`;
  };
  return (
    <div id={`${id}-length`}>
      <p
        className={length > limit ? `${hintLine} !text-err` : hintLine}
        aria-hidden="true"
        hidden={words(length) === ""}
      >
        {words(length)}
      </p>
      <span className="sr-only" aria-live="polite">
        {words(heard)}
      </span>
    </div>
  );
}

export interface Choice {
  value: string | number;
  label: string;
  hint?: string;
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

interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "required">, FieldTexts {
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
        {...NOT_RESTORED}
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

interface IconSelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  tone: Tone;
  icon: IconName;
  label: string;
  children: ReactNode;
}

export function IconSelect({ tone, icon, label, children, ...rest }: IconSelectProps) {
  return (
    <span className={`isel ${toneClass[tone]}`}>
      <Icon name={icon} />
      <select {...NOT_RESTORED} {...rest} aria-label={label} className="input">
        {children}
      </select>
    </span>
  );
}

/** A password with a show button (script only). Public sign-in uses TextField type="password". */
export function PasswordField({ width = "full", ...props }: TextFieldProps) {
  const { around, attributes } = splitField(props);
  const { id, field, hint } = around;
  const hydrated = useHydrated();
  const [shown, setShown] = useState(false);
  return (
    <Field {...around}>
      <div className={classNames("relative", widthClass[width])}>
        <input
          {...(field && inputProps(field, { type: "password", ariaDescribedBy: hintIds(id, hint) }))}
          {...attributes}
          type={shown ? "text" : "password"}
          id={id}
          {...fieldAria(id, around)}
          className={`input ${besideButton}`}
        />
        {hydrated && (
          <button
            type="button"
            className={inField}
            aria-pressed={shown}
            aria-label="Vis adgangskode"
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? "hide" : "show"} />
          </button>
        )}
      </div>
    </Field>
  );
}
