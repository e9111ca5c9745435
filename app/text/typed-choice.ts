export const typedNameOf = (name: string) => `${name}Text`;

const spaced = (text: string) => text.replace(/\s+/g, " ").trim();

export const isLabel = (label: string, text: string) => spaced(label) === spaced(text);

interface Option {
  value: number;
  label: string;
}

/** The chosen option; null if none, or if the field holds other text. Without JavaScript no text is sent. */
export function chosenOption<O extends Option>(
  options: readonly O[],
  value: number | undefined,
  text: string | undefined,
): O | null {
  const chosen = options.find((option) => option.value === value);
  return chosen && (text === undefined || isLabel(chosen.label, text)) ? chosen : null;
}
