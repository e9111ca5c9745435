export const accountTypes = { staff: 0, referrer: 1 } as const;
