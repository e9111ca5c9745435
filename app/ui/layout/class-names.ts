/** Joins class names; undefined if empty, so that React omits the attribute. */
export function classNames(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}

/** Breaks words longer than a column, so that the page stays within the screen. */
export const breaksLong = (text: string) => (/\S{24,}/.test(text) ? "break-anywhere" : undefined);
