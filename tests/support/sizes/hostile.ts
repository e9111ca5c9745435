import type { Answer } from "./sizes-portal";

/** An oversized request that can be sent repeatedly. */
export interface Hostile {
  kind: string;
  name: string;
  send(): Promise<Answer>;
}

export const KB = 1024;
export const MB = 1024 * KB;
