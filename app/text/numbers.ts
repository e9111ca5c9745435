/** A size as people read it: `2,4 MB`. */
export function showBytes(bytes: number): string {
  if (bytes < 1024) return `${showCount(bytes)} B`;
  const units = ["KB", "MB", "GB"];
  let value = bytes / 1024;
  let unit = 0;
  while (Math.round(value) >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toLocaleString("da-DK", { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[unit]}`;
}

// Made once: a page shows dozens of numbers, and making the format is most of the work.
const grouped = new Intl.NumberFormat("da-DK");

/** A whole number with thousands parted: `1.204`. */
export function showCount(count: number): string {
  return grouped.format(count);
}

/** An amount in kroner as typed ('4.850', '4850,5') as `4850.50`, or null when it is none. Points part thousands, a comma the øre. */
export function parsePrice(typed: string): string | null {
  const bare = typed
    .trim()
    .replace(/\s*(kr\.?|,-)$/i, "")
    .replace(/\s/g, "");
  const match = /^(\d{1,3}(?:\.\d{3})+|\d{1,9})(?:,(\d{1,2}))?$/.exec(bare);
  return match ? `${match[1]!.replace(/\./g, "")}.${(match[2] ?? "").padEnd(2, "0")}` : null;
}

/** `4850.50` as people read it: `4.850,50`; whole kroner without øre. */
export function showPrice(price: string): string {
  const amount = Number(price);
  return amount.toLocaleString("da-DK", {
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  });
}
