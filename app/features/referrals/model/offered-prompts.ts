import { type FactIn, factsIn } from "./facts";

/** Optional facts that the form asks for beside the diagnosis. */
export type HealthPrompt = FactIn<"health">;

export const healthPrompts = factsIn("health");

/** Facts that the customer's calls do not know; `/next/Visits/{id}/clinical-facts` reads and writes them. */
export const laterFacts = factsIn("health", "urgency");

/** Setting with the names of prompts that the form does not offer, parted by commas; empty offers all. */
export const HIDDEN_PROMPTS = "hiddenPrompts";

export function offeredPrompts(hidden: string | null | undefined): HealthPrompt[] {
  const names = hidden?.split(",") ?? [];
  return healthPrompts.filter((name) => !names.includes(name));
}
