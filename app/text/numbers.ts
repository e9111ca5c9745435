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

/** A whole number with thousands parted: `1.204`. */
export function showCount(count: number): string {
  return count.toLocaleString("da-DK");
}
