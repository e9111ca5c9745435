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

/** Adds hints to options of the same name, with the id if nothing else differs. Values are unique. */
export function tellApart(options: readonly Named[]): ToldApart[] {
  const named = countBy(options, ({ label }) => label);
  const alike = countBy(options, keyOf);
  return options.map((option) => {
    const { value, label, apart } = option;
    if (named.get(label) === 1) return { value, label };
    const isApart = apart !== "" && alike.get(keyOf(option)) === 1;
    return { value, label, hint: isApart ? apart : [apart, `nr. ${value}`].filter(Boolean).join(" · ") };
  });
}

const keyOf = ({ label, apart }: Named) => JSON.stringify([label, apart]);

function countBy(options: readonly Named[], keyFor: (option: Named) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const option of options) counts.set(keyFor(option), (counts.get(keyFor(option)) ?? 0) + 1);
  return counts;
}
