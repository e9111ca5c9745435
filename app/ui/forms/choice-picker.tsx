import { useState } from "react";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Combobox, type ComboboxOption } from "./combobox";
import type { FormField } from "./field";
import { SelectField } from "./select-field";

interface ChoicePickerProps {
  field: FormField;
  label: string;
  choices: readonly ComboboxOption[];
  /** What the list offers as nothing, and the empty field shows. */
  empty: string;
  required?: boolean;
  className?: string;
}

/** A longer list is no help to anyone: search more exactly. */
const MAX_SHOWN = 50;

/** One of many: found while typing; without JavaScript a list. */
export function ChoicePicker({ field, label, choices, empty, required, className }: ChoicePickerProps) {
  const hydrated = useHydrated();
  const before = choices.find(({ value }) => String(value) === field.initialValue) ?? null;
  const [chosen, setChosen] = useState<ComboboxOption | null>(before);
  const [search, setSearch] = useState("");
  const texts = { label, className, ...(required ? { required } : {}) };
  if (!hydrated) return <SelectField field={field} {...texts} empty={empty} choices={choices} />;
  const words = search.toLocaleLowerCase("da").split(/\s+/);
  const isFound = (option: ComboboxOption) =>
    words.every((word) => option.label.toLocaleLowerCase("da").includes(word));
  return (
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
  );
}
