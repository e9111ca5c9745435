import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { typedNameOf } from "~/text/typed-choice";
import { classNames } from "~/ui/layout/class-names";
import { Field, fieldAria, type FieldTexts } from "./field";

export interface ComboboxOption {
  value: string | number;
  label: string;
  hint?: string;
}

export interface ComboboxProps<O extends ComboboxOption> extends Omit<FieldTexts, "field" | "hint"> {
  /** Name of the hidden field with the value; the text is sent beside it (text/typed-choice.ts). */
  name: string;
  id?: string;
  /** Null as soon as the text differs. */
  chosen: O | null;
  onChoose(option: O | null): void;
  typed?: string;
  options: readonly O[];
  searched: string;
  onSearch(text: string): void;
  isSearching?: boolean;
  hasFailed?: boolean;
  placeholder?: string;
  className?: string;
}

const underField =
  "absolute z-40 left-0 right-0 [top:100%] max-h-[320px] mt-0.5 overflow-y-auto scroll-touch border border-line2 rounded bg-surface shadow-float";

/** Milliseconds without typing before a search. */
const REST_MS = 200;

/**
 * Searchable choice, JavaScript only; pages have a search form and radios without. ARIA pattern 'editable combobox with
 * list autocomplete': arrows move, Enter chooses, Escape restores. Other text clears the choice; on leaving, text with
 * a single match chooses it, otherwise the server reports it.
 */
export function Combobox<O extends ComboboxOption>({
  name,
  id = name,
  chosen,
  onChoose,
  typed,
  options,
  searched,
  onSearch,
  isSearching = false,
  hasFailed = false,
  placeholder,
  className,
  ...texts
}: ComboboxProps<O>) {
  const listId = useId();
  const [text, setText] = useState(typed ?? chosen?.label ?? "");
  const [isOpen, setOpen] = useState(false);
  /** The text wanted: Enter never chooses from results of a former one. */
  const [wanted, setWanted] = useState(searched);
  const [activeValue, setActive] = useState<O["value"] | null>(null);
  /** The field was left, or Enter pressed, before the text was searched for: its only match is chosen then. */
  const [takesOnlyMatch, setTakesOnlyMatch] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const lastChosen = useRef(chosen);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const active = options.findIndex(({ value }) => value === activeValue);
  const isFound = !isSearching && searched === wanted;
  // Closed, the field shows only the name; with namesakes also which one.
  const hasNamesake = options.some(({ value, label }) => label === chosen?.label && value !== chosen.value);
  const hint = hasNamesake ? chosen?.hint : undefined;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  function search(wantedText: string, rest = 0) {
    clearTimeout(timer.current);
    setWanted(wantedText);
    if (rest > 0) timer.current = setTimeout(() => onSearch(wantedText), rest);
    else onSearch(wantedText);
  }
  function close() {
    setOpen(false);
    setActive(null);
  }
  function choose(option: O) {
    clearTimeout(timer.current);
    lastChosen.current = option;
    onChoose(option);
    setText(option.label);
    setTakesOnlyMatch(false);
    close();
  }
  function open() {
    if (isOpen) return;
    setOpen(true);
    search(chosen ? "" : text);
  }
  function type(value: string) {
    setText(value);
    setTakesOnlyMatch(false);
    setActive(null);
    setOpen(true);
    onChoose(lastChosen.current?.label === value ? lastChosen.current : null);
    search(value, REST_MS);
  }
  function pressed(event: KeyboardEvent<HTMLInputElement>) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      open();
      const next = (options.length + active + step + (active < 0 && step < 0 ? 1 : 0)) % Math.max(options.length, 1);
      setActive(options[next]?.value ?? null);
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      const option = options[active < 0 && options.length === 1 ? 0 : active];
      if (option && isFound) choose(option);
      else if (!isFound) {
        setTakesOnlyMatch(true);
        search(text);
      }
    } else if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      if (lastChosen.current) choose(lastChosen.current);
      close();
    }
  }
  function left() {
    close();
    if (chosen) return;
    if (text.trim() === "") {
      lastChosen.current = null;
      return setText("");
    }
    setTakesOnlyMatch(true);
    if (!isFound || wanted !== text) search(text);
  }
  const chooseOnly = useRef<() => void>(() => undefined);
  useEffect(() => {
    chooseOnly.current = () => {
      if (!chosen && options.length === 1) choose(options[0]!);
      setTakesOnlyMatch(false);
    };
  });
  useEffect(() => {
    if (takesOnlyMatch && isFound && wanted === text) chooseOnly.current();
  }, [takesOnlyMatch, isFound, wanted, text]);

  return (
    <Field id={id} {...texts} hint={hint} className={classNames("relative", className)}>
      <input type="hidden" name={name} value={chosen?.label === text ? chosen.value : ""} />
      <input
        id={id}
        type="text"
        name={typedNameOf(name)}
        className="input"
        role="combobox"
        autoComplete="off"
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
        {...fieldAria(id, { ...texts, hint })}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onClick={open}
        onKeyDown={pressed}
        onBlur={left}
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
            // Runs before the field loses focus.
            onMouseDown={(event) => {
              event.preventDefault();
              choose(option);
            }}
          >
            {option.label}
            {option.hint && <span className="meta block font-normal">{option.hint}</span>}
          </div>
        ))}
      </div>
      <p className={isOpen && options.length === 0 ? `${underField} px-3 py-2 text-ink2` : "sr-only"} role="status">
        {isOpen && statusText(options.length, isFound, hasFailed)}
      </p>
    </Field>
  );
}

function statusText(count: number, isFound: boolean, hasFailed: boolean): string {
  if (!isFound) return hasFailed ? "Søgningen mislykkedes. Skriv igen." : "Søger…";
  return count === 0 ? "Ingen data..." : `${count} fundet`;
}
