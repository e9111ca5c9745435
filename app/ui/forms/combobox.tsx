import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Field, fieldAria, type FieldTexts } from "./field";

export interface ComboboxOption {
  value: string | number;
  label: string;
}

export interface ComboboxProps<O extends ComboboxOption> extends Omit<FieldTexts, "field"> {
  /** Of the hidden field that carries the chosen value. */
  name: string;
  id?: string;
  chosen: O | null;
  onChoose(option: O | null): void;
  /** What the last search found; the page asks for it. */
  options: readonly O[];
  /** Called while typing, after a short rest; with "" when the list is opened empty. */
  onSearch(text: string): void;
  isSearching?: boolean;
  placeholder?: string;
  form?: string;
  className?: string;
}

const underField =
  "absolute z-40 left-0 right-0 [top:100%] max-h-[320px] mt-0.5 overflow-y-auto scroll-touch border border-line2 rounded bg-surface shadow-float";

/** Milliseconds of rest before a search. */
const REST_MS = 200;

/**
 * One of many, found by typing. For script only: without it a page has a text field, a find button and a radio list in its place.
 * Follows the ARIA pattern 'editable combobox with list autocomplete': arrows walk, Enter chooses, Escape gives back what was chosen.
 */
export function Combobox<O extends ComboboxOption>({
  name,
  id = name,
  chosen,
  onChoose,
  options,
  onSearch,
  isSearching,
  placeholder,
  form,
  className,
  ...texts
}: ComboboxProps<O>) {
  const listId = useId();
  const [text, setText] = useState(chosen?.label ?? "");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  function close() {
    setOpen(false);
    setActive(-1);
  }
  function choose(option: O) {
    onChoose(option);
    setText(option.label);
    close();
  }
  function open() {
    if (isOpen) return;
    setOpen(true);
    onSearch(text === chosen?.label ? "" : text);
  }
  function typed(value: string) {
    setText(value);
    setActive(-1);
    setOpen(true);
    if (value === "") onChoose(null);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(value), REST_MS);
  }
  function pressed(event: KeyboardEvent<HTMLInputElement>) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      open();
      setActive((options.length + active + step + (active < 0 && step < 0 ? 1 : 0)) % Math.max(options.length, 1));
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      const option = options[active < 0 && options.length === 1 ? 0 : active];
      if (option) choose(option);
    } else if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      setText(chosen?.label ?? "");
      close();
    }
  }

  return (
    <Field id={id} {...texts} className={classNames("relative", className)}>
      <input type="hidden" name={name} value={chosen?.value ?? ""} form={form} />
      <input
        id={id}
        type="text"
        className="input"
        role="combobox"
        autoComplete="off"
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
        {...fieldAria(id, texts)}
        value={text}
        onChange={(event) => typed(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onClick={open}
        onKeyDown={pressed}
        onBlur={() => {
          // What was typed and not chosen is nobody: the field shows who is chosen.
          setText(chosen?.label ?? "");
          close();
        }}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={texts.label}
        className={isOpen ? `${underField} py-1` : "hidden"}
      >
        {options.map((option, index) => (
          <div
            key={option.value}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={option.value === chosen?.value}
            className={classNames(
              "px-3 py-2 cursor-pointer hover:bg-tint aria-selected:font-semibold",
              index === active && "bg-tint",
            )}
            // Before the field loses focus.
            onMouseDown={(event) => {
              event.preventDefault();
              choose(option);
            }}
          >
            {option.label}
          </div>
        ))}
      </div>
      <p className={isOpen && options.length === 0 ? `${underField} px-3 py-2 text-ink2` : "sr-only"} role="status">
        {!isOpen ? "" : isSearching ? "Søger…" : options.length === 0 ? "Ingen data..." : `${options.length} fundet`}
      </p>
    </Field>
  );
}
