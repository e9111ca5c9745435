export const YES = "on";
export const NO = "off";

/** Radio value for typed text in the field `<name>Typed`. */
export const TYPED = "(andet)";

/** Columns that fit the panel. */
export const MAX_SELECTED = 6;

export function picksIn(text: string | null | undefined): number[] {
  const ids = (text ?? "").split(".").filter((id) => /^\d{1,12}$/.test(id));
  return [...new Set(ids.map(Number))].slice(0, MAX_SELECTED);
}

export const picksParam = (ids: number[]): string | null => (ids.length > 0 ? ids.join(".") : null);

/** The pick parameter of an address. */
export function picksOf(address: string | undefined): { valgt?: string } {
  const valgt = picksParam(picksIn(new URLSearchParams((address ?? "").split("?")[1]).get("valgt")));
  return valgt === null ? {} : { valgt };
}
