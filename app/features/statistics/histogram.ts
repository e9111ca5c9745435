/** Whole days → how many waited so long. */
export type Histogram = ReadonlyMap<number, number>;

export function histogramOf(waits: { days: number; n: number }[]): Histogram {
  const histogram = new Map<number, number>();
  for (const { days, n } of waits) histogram.set(days, (histogram.get(days) ?? 0) + n);
  return histogram;
}

export const sizeOf = (histogram: Histogram) => [...histogram.values()].reduce((sum, n) => sum + n, 0);

/** The days that a share of all did not exceed: 0.5 is the median. Null where there are none. */
export function daysAt(histogram: Histogram, share: number): number | null {
  const wanted = sizeOf(histogram) * share;
  let counted = 0;
  for (const [days, n] of [...histogram].sort(([a], [b]) => a - b)) {
    counted += n;
    if (counted > 0 && counted >= wanted) return days;
  }
  return null;
}
