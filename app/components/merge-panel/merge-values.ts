import { TYPED } from "~/features/merging/merge-form";
import type { Choice } from "~/ui/forms/select-field";

/** One of those who are merged, as a column. */
export interface MergeColumn {
  id: number;
  version: number;
  /** At the head: the name, and what tells two of one name apart. */
  name: string;
  note: string;
  /** What it is known by in sentences: a user's user name, a clinic's title. */
  knownAs: string;
  /** How much is moved of it, in words. */
  moving: { count: string; what: string }[];
}

/** A value to choose, as a row. */
export interface MergeRow {
  name: string;
  label: string;
  /** What stands in each column, as the form sends it. */
  values: string[];
  /** What may be typed instead: one of these, or any text. None of them is empty: a 'no' is a value. */
  choices?: readonly Choice[];
  /** At first an empty value is filled from another column. Only of texts that somebody would miss, such as a phone number. */
  fillsEmpty?: boolean;
  inputMode?: "numeric" | "tel" | "email";
}

/** What is chosen of a row: the value of a column, or `TYPED` and the text. */
export interface Chosen {
  value: string;
  typed: string;
}

export const valueOf = ({ value, typed }: Chosen) => (value === TYPED ? typed : value);

export const isEqual = ({ values }: MergeRow) => values.every((value) => value === values[0]);

export const shown = ({ choices }: MergeRow, value: string) =>
  (choices ? choices.find((choice) => String(choice.value) === value)?.label : value) || "Ingen data...";

export const columnChoice = ({ values }: MergeRow, column: number): Chosen => ({ value: values[column]!, typed: "" });

/** A row's value in a column; where that is empty and may be filled, the first that is not. */
export const firstChoice = (row: MergeRow, column: number): Chosen => {
  const filled = row.fillsEmpty ? row.values.find((value) => value !== "") : undefined;
  return row.values[column] === "" && filled !== undefined ? { value: filled, typed: "" } : columnChoice(row, column);
};

/** What was chosen in a form that came back: text in the result is chosen, whichever radio was pressed. */
export const sentChoice = (value = "", typed = ""): Chosen =>
  typed !== "" && typed !== value ? { value: TYPED, typed } : { value, typed: "" };
