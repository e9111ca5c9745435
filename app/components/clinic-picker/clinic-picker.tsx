import { useState } from "react";
import { Combobox, type ComboboxOption } from "~/ui/forms/combobox";
import type { FormField } from "~/ui/forms/field";
import { SelectField } from "~/ui/forms/select-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";

interface ClinicPickerProps {
  field: FormField;
  clinics: readonly ComboboxOption[];
}

/** One clinic of many: found while typing; without JavaScript a list. */
export function ClinicPicker({ field, clinics }: ClinicPickerProps) {
  const hydrated = useHydrated();
  const before = clinics.find(({ value }) => String(value) === field.initialValue) ?? null;
  const [chosen, setChosen] = useState<ComboboxOption | null>(before);
  const [search, setSearch] = useState("");
  if (!hydrated) return <SelectField field={field} label="Klinik" required empty="Vælg" choices={clinics} />;
  const words = search.toLocaleLowerCase("da").split(/\s+/);
  const isFound = ({ label }: ComboboxOption) => words.every((word) => label.toLocaleLowerCase("da").includes(word));
  return (
    <Combobox
      name={field.name}
      id={field.id}
      label="Klinik"
      required
      chosen={chosen}
      onChoose={setChosen}
      options={clinics.filter(isFound).slice(0, SHOWN)}
      onSearch={setSearch}
      error={field.errors}
    />
  );
}

/** A longer list is no help to anyone: search more exactly. */
const SHOWN = 50;
