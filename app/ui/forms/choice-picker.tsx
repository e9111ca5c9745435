import { lazy, Suspense, useRef, useState } from "react";
import { useHydrationHandover } from "~/ui/hooks/use-hydrated";
import type { ComboboxOption } from "./combobox";
import type { FormField } from "./field";
import { SelectField } from "./fields";

interface ChoicePickerProps {
  field: FormField;
  label: string;
  choices: readonly ComboboxOption[];
  empty: string;
  required?: boolean;
  className?: string;
}

const Combobox = lazy(async () => ({ default: (await import("./combobox")).Combobox<ComboboxOption> }));

/** Longer lists do not help; the search should be narrowed. */
const MAX_SHOWN = 50;

/** One of many: searched while typing; a select without JavaScript and while loading. */
export function ChoicePicker({ field, label, choices, empty, required, className }: ChoicePickerProps) {
  const choiceOf = (standing: unknown) => choices.find(({ value }) => String(value) === standing) ?? null;
  const [chosen, setChosen] = useState<ComboboxOption | null>(choiceOf(field.initialValue));
  const [search, setSearch] = useState("");
  const select = useRef<HTMLSelectElement>(null);
  const isByScript = useHydrationHandover(select, (standing) => setChosen(choiceOf(standing.get(field.name))));
  const texts = { label, className, ...(required ? { required } : {}) };
  const list = (
    <SelectField
      field={field}
      {...texts}
      empty={empty}
      choices={choices}
      selectRef={select}
      defaultValue={chosen?.value ?? ""}
      onChange={(event) => setChosen(choiceOf(event.currentTarget.value))}
    />
  );
  if (!isByScript) return list;
  const words = search.toLocaleLowerCase("da").split(/\s+/);
  const isFound = (option: ComboboxOption) =>
    words.every((word) => `${option.label} ${option.hint ?? ""}`.toLocaleLowerCase("da").includes(word));
  return (
    <Suspense fallback={list}>
      <Combobox
        name={field.name}
        id={field.id}
        {...texts}
        placeholder={empty}
        chosen={chosen}
        onChoose={setChosen}
        options={choices.filter(isFound).slice(0, MAX_SHOWN)}
        searched={search}
        onSearch={setSearch}
        error={field.errors}
      />
    </Suspense>
  );
}
