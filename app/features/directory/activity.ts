export const ACTIVE = 1;
export const INACTIVE = 0;

export const activity = [
  { value: ACTIVE, label: "Aktiv" },
  { value: INACTIVE, label: "Inaktiv" },
] as const;

export const activityLabel = (status: number): string => activity.find(({ value }) => value === status)?.label ?? "";
