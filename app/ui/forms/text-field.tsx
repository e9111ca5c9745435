import {
  type InputHTMLAttributes,
  type RefObject,
  type TextareaHTMLAttributes,
  useEffect,
  useRef,
  useState,
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
} from "./field";

export type TextType = "text" | "email" | "tel" | "password" | "date";

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "required" | "type">, FieldTexts {
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

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "required">, FieldTexts {
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
