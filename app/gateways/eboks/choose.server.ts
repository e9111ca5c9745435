import path from "node:path";
import { createKeptLetters } from "../sending/kept-letters.server";
import { notConfigured } from "../sending/not-configured";
import type { EboksGateway } from "./port";

/** Outside production the folder eboks under DATA_DIR. */
export function chooseEboksGateway({ dataDir, production }: { dataDir: string; production: boolean }): EboksGateway {
  return production
    ? notConfigured("e-Boks er ikke indstillet")
    : createKeptLetters(path.join(dataDir, "eboks"), "Prøve: e-Boks-breve lægges i mappen eboks");
}
