import { createNetsSharePrint } from "../nets-share/letters.server";
import type { NetsShareSettings } from "../nets-share/port";
import type { PrintGateway } from "./port";

export function choosePrintGateway({ netsShare }: { netsShare: NetsShareSettings | null }): PrintGateway {
  if (netsShare?.print) return createNetsSharePrint(netsShare);
  return {
    label: "Breve venter på næste brevbunke",
    mode: "batch",
    deduplicates: true,
    send: async () => ({ outcome: "retry", detail: "Venter på næste brevbunke" }),
  };
}
