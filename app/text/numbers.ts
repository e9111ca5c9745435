/** E.g. `2,4 MB`. */
export function showBytes(bytes: number): string {
  if (bytes < 1024) return `${showCount(bytes)} B`;
  const units = ["KB", "MB", "GB"];
  let value = bytes / 1024;
  let unit = 0;
  while (Math.round(value) >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const shown = value < 10 ? String(Math.round(value * 10) / 10).replace(".", ",") : showCount(Math.round(value));
  return `${shown} ${units[unit]}`;
}

export const twoDigits = (value: number | null) => String(value ?? 0).padStart(2, "0");

/** `1204` as `1.204`. Formatted without Intl, so that server and old browsers agree. */
export function showCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ".");
}

/** Parses kroner ('4.850', '4850,5') to `4850.50`; null if no amount. Points separate thousands, a comma øre. */
export function parsePrice(typed: string): string | null {
  const bare = typed.replace(/\s/g, "").replace(/(kr\.?|,-)$/i, "");
  const match = /^(\d{1,3}(?:\.\d{3})+|\d{1,9})(?:,(\d{1,2}))?$/.exec(bare);
  return match ? `${match[1]!.replace(/\./g, "")}.${(match[2] ?? "").padEnd(2, "0")}` : null;
}

/** `4850.50` as `4.850,50`; whole kroner without øre. */
export function showPrice(price: string | number): string {
  const [kroner, oere] = Number(price).toFixed(2).split(".") as [string, string];
  return `${showCount(Number(kroner))}${oere === "00" ? "" : `,${oere}`}`;
}
