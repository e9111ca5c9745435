import { createNetsSharePrint } from "../nets-share/letters.server";
import type { NetsShareSettings } from "../nets-share/port";
import type { PrintGateway } from "./port";

/** Nets Share when it prints; without a printing provider letters wait until somebody prints them. */
export function choosePrintGateway({ netsShare }: { netsShare: NetsShareSettings | null }): PrintGateway {
  if (netsShare?.print) return createNetsSharePrint(netsShare);
  return {
    label: "Breve venter på næste brevbunke",
    mode: "batch",
    deduplicates: true,
    // No lane asks it: a batch settles its letters itself.
    send: async () => ({ outcome: "retry", detail: "Venter på næste brevbunke" }),
  };
}
