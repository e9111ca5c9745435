/** Joins class names, leaving out what is false or empty; undefined when none is left, so that React writes no attribute. */
export function classNames(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}
