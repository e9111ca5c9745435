import path from "node:path";
import { createNetsShareEboks } from "../nets-share/letters.server";
import type { NetsShareSettings } from "../nets-share/port";
import { createEmbeddedLetters } from "../sending/embedded-letters.server";
import { notConfigured } from "../sending/port";
import type { EboksGateway } from "./port";

/** Nets Share if it has the clinic's e-Boks number; otherwise the folder eboks under DATA_DIR outside production. */
export function chooseEboksGateway({
  netsShare,
  dataDir,
  production,
}: {
  netsShare: NetsShareSettings | null;
  dataDir: string;
  production: boolean;
}): EboksGateway {
  if (netsShare?.eboks) return createNetsShareEboks(netsShare);
  return production
    ? notConfigured("e-Boks er ikke indstillet (NETS_SHARE_EBOKS_ID)")
    : createEmbeddedLetters(path.join(dataDir, "eboks"), "Prøve: e-Boks-breve lægges i mappen eboks");
}
