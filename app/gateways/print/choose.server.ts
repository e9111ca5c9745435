import type { PrintGateway } from "./port";

/** Without a printing provider letters wait until somebody prints them. */
export function choosePrintGateway(): PrintGateway {
  return {
    label: "Breve venter på næste brevbunke",
    mode: "batch",
    deduplicates: true,
    // No lane asks it: a batch settles its letters itself.
    send: async () => ({ outcome: "retry", detail: "Venter på næste brevbunke" }),
  };
}
