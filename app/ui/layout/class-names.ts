/** Joins class names, leaving out what is false or empty; undefined when none is left, so that React writes no attribute. */
export function classNames(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}

/** For a text with a word longer than a column: it breaks, so that the page is no wider than the screen. Others keep their words whole. */
export const breaksLong = (text: string) => (/\S{31,}/.test(text) ? "break-anywhere" : undefined);
