import type { Caller } from "~/access/caller";

/** Jobs and lanes are actors and pass through `execute()`. */
export const systemCaller = (job: string): Caller => ({
  actor: { kind: "system", job },
  site: "inside",
  address: "",
  sessionId: null,
});
