import type { VirusScanner } from "./port";

/** No scanner configured; nothing is called clean. */
export function createNoScanner(): VirusScanner {
  return {
    name: "ingen",
    label: "Ikke indstillet: filer scannes ikke for virus",
    scan: () => Promise.resolve("noScanner"),
    state: () => Promise.resolve("notConfigured"),
  };
}
