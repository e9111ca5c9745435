import { ACTIVE, activity } from "~/features/directory/activity";
import type { Toned } from "~/ui/lists/chip";

/** Danish words for whether a user or clinic is active. */
export const activityState = (status: number): Toned => ({
  label: activity.find(({ value }) => value === status)?.label ?? "",
  ...(status === ACTIVE ? ({ tone: "ok", icon: "done" } as const) : ({ tone: "closed", icon: "pause" } as const)),
});
