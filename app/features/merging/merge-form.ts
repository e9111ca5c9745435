/** What a form says of a flag, so that a 'no' is a value and not an empty one. */
export const YES = "on";
export const NO = "off";

/** What a row's radio says where the value is none of theirs but typed beside it, in the field `<name>Typed`. */
export const TYPED = "(andet)";

/** So many at a time: a panel shows a column each. */
export const MAX_SELECTED = 6;

/** The ids in an address, `12.34`, each once. */
export function picksIn(text: string | null | undefined): number[] {
  const ids = (text ?? "").split(".").filter((id) => /^\d{1,12}$/.test(id));
  return [...new Set(ids.map(Number))].slice(0, MAX_SELECTED);
}

/** The same for an address; null without any. */
export const picksParam = (ids: number[]): string | null => (ids.length > 0 ? ids.join(".") : null);

/** What is picked at an address, as a parameter of the one that follows it. */
export function picksOf(address: string | undefined): { valgt?: string } {
  const valgt = picksParam(picksIn(new URLSearchParams((address ?? "").split("?")[1]).get("valgt")));
  return valgt === null ? {} : { valgt };
}
