import { ACTIVE, activity } from "~/features/directory/activity";
import type { Toned } from "~/ui/lists/chip";

export const activityState = (status: number): Toned => ({
  label: activity.find(({ value }) => value === status)?.label ?? "",
  ...(status === ACTIVE ? ({ tone: "ok", icon: "done" } as const) : ({ tone: "closed", icon: "pause" } as const)),
});
