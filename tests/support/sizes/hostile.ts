import type { Answer } from "./sizes-portal";

/** Something of a size that nobody needs, ready to be sent; it may be sent again and again. */
export interface Hostile {
  /** Of each kind one is sent in `npm test`. */
  kind: string;
  name: string;
  send(): Promise<Answer>;
}

export const KB = 1024;
export const MB = 1024 * KB;
