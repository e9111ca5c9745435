interface Named {
  value: number;
  label: string;
  /** What is known of one beside its name, such as an e-mail or an address; may be empty. */
  apart: string;
}

export interface ToldApart {
  value: number;
  label: string;
  /** Only where another option has the same label. */
  hint?: string;
}

/** The options of a list of people or places: those of one name get a hint that tells them apart, with their number where nothing else does. */
export function tellApart(options: readonly Named[]): ToldApart[] {
  return options.map(({ value, label, apart }) => {
    const namesakes = options.filter((other) => other.value !== value && other.label === label);
    if (namesakes.length === 0) return { value, label };
    const isApart = apart !== "" && namesakes.every((other) => other.apart !== apart);
    return { value, label, hint: isApart ? apart : [apart, `nr. ${value}`].filter(Boolean).join(" · ") };
  });
}
