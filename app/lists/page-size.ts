/** Maximum page size of the API. */
export const MAX_PAGE_SIZE = 1000;

export const PAGE_SIZE = 20;
