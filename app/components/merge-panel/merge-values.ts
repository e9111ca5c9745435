import { TYPED } from "~/features/merging/merge-words";
import type { Choice } from "~/ui/forms/fields";

export interface MergeColumn {
  id: number;
  version: number;
  name: string;
  note: string;
  knownAs: string;
  /** Whether an account at the identity provider signs in as this user. */
  isBound?: boolean;
  moving: { count: string; what: string }[];
}

export interface MergeRow {
  name: string;
  label: string;
  values: string[];
  choices?: readonly Choice[];
  /** An empty value is prefilled from another column; only for texts such as a phone number. */
  fillsEmpty?: boolean;
  inputMode?: "numeric" | "tel" | "email";
}

export interface Chosen {
  value: string;
  typed: string;
}

export const valueOf = ({ value, typed }: Chosen) => (value === TYPED ? typed : value);

export const isEqual = ({ values }: MergeRow) => values.every((value) => value === values[0]);

export const shown = ({ choices }: MergeRow, value: string) =>
  (choices ? choices.find((choice) => String(choice.value) === value)?.label : value) || "Ingen data...";

export const columnChoice = ({ values }: MergeRow, column: number): Chosen => ({ value: values[column]!, typed: "" });

export const firstChoice = (row: MergeRow, column: number): Chosen => {
  const filled = row.fillsEmpty ? row.values.find((value) => value !== "") : undefined;
  return row.values[column] === "" && filled !== undefined ? { value: filled, typed: "" } : columnChoice(row, column);
};

export const sentChoice = (value = "", typed = ""): Chosen =>
  typed !== "" && typed !== value ? { value: TYPED, typed } : { value, typed: "" };
