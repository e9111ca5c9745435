/**
 * Maps rows on the main thread, yielding after each slice. @param perSlice rows that take less than ten milliseconds
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
