interface Named {
  value: number;
  label: string;
  /** Distinguishing data besides the name, e.g. an e-mail; may be empty. */
  apart: string;
}

export interface ToldApart {
  value: number;
  label: string;
  hint?: string;
}

/** Adds hints to options of the same name, with the id if nothing else differs. */
export function tellApart(options: readonly Named[]): ToldApart[] {
  return options.map(({ value, label, apart }) => {
    const namesakes = options.filter((other) => other.value !== value && other.label === label);
    if (namesakes.length === 0) return { value, label };
    const isApart = apart !== "" && namesakes.every((other) => other.apart !== apart);
    return { value, label, hint: isApart ? apart : [apart, `nr. ${value}`].filter(Boolean).join(" · ") };
  });
}
