/**
 * Maps rows on the portal's own thread; whatever waits has its turn after each slice of them.
 * @param perSlice rows that take less than ten milliseconds together
 */
export async function mapInSlices<Row, Result>(
  rows: readonly Row[],
  perSlice: number,
  work: (slice: readonly Row[]) => readonly Result[] | Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < rows.length; at += perSlice) {
    for (const result of await work(rows.slice(at, at + perSlice))) results.push(result);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return results;
}
