/** A choice that is found while typing: its form sends the chosen value, and beside it the text that stands in the field. */

/** The name that the text is sent under. */
export const typedNameOf = (name: string) => `${name}Text`;

const spaced = (text: string) => text.replace(/\s+/g, " ").trim();

/** Whether the text in the field is the label of what is chosen. */
export const isLabel = (label: string, text: string) => spaced(label) === spaced(text);

interface Option {
  value: number;
  label: string;
}

/** The option that a form has chosen; null for none, and where another text stands in the field. Without JavaScript no text comes along. */
export function chosenOption<O extends Option>(
  options: readonly O[],
  value: number | undefined,
  text: string | undefined,
): O | null {
  const chosen = options.find((option) => option.value === value);
  return chosen && (text === undefined || isLabel(chosen.label, text)) ? chosen : null;
}
