/** Rows to a page of every list. */
export const PAGE_SIZE = 20;
