/** The API may ask for so many at a time. */
export const MAX_PAGE_SIZE = 1000;

/** Rows to a page of every list. */
export const PAGE_SIZE = 20;
