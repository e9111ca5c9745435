import type { Migration } from "kysely";
import * as initial from "./2026_11_27_0800_initial";

/** Listed by hand, in order: a bundle cannot scan a folder. */
export const migrations: Record<string, Migration> = {
  "2026_11_27_0800_initial": initial,
};
