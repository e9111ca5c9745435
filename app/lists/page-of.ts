/** One page of a list that is in memory, counted from 1; a page beyond the last is the last, anything else the first. */
export function pageOf<T>(all: readonly T[], asked: number, size: number) {
  const pageCount = Math.max(1, Math.ceil(all.length / size));
  const page = asked >= 1 ? Math.min(Math.floor(asked), pageCount) : 1;
  return { shown: all.slice((page - 1) * size, page * size), page, pageCount };
}
