/** The kinds of account that are made, by the numbers of the form. */
export const accountTypes = { staff: 0, referrer: 1 } as const;
