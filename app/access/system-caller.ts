import type { Caller } from "~/access/caller";

export const systemCaller = (job: string): Caller => ({
  actor: { kind: "system", job },
  site: "inside",
  address: "",
  sessionId: null,
});
