export type Histogram = ReadonlyMap<number, number>;

export function histogramOf(waits: { days: number; n: number }[]): Histogram {
  const histogram = new Map<number, number>();
  for (const { days, n } of waits) histogram.set(days, (histogram.get(days) ?? 0) + n);
  return histogram;
}

export const sizeOf = (histogram: Histogram) => [...histogram.values()].reduce((sum, n) => sum + n, 0);

/** The number of days not exceeded by a share; 0.5 is the median. Null if empty. */
export function daysAt(histogram: Histogram, share: number): number | null {
  const wanted = sizeOf(histogram) * share;
  let counted = 0;
  for (const [days, n] of [...histogram].sort(([a], [b]) => a - b)) {
    counted += n;
    if (counted > 0 && counted >= wanted) return days;
  }
  return null;
}
