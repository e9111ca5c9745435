import type { EboksGateway } from "../eboks/port";
import type { PrintGateway } from "../print/port";
import type { NetsShareSettings } from "./port";
import { createNetsShareGateway } from "./send-letter.server";
import { MAX_TITLE } from "./shipment.server";

const TOO_LONG = 5;
const NO_SUCH_RECEIVER = 6;

export const createNetsShareEboks = (settings: NetsShareSettings): EboksGateway =>
  createNetsShareGateway("e-Boks: Nets Share", settings, ({ letterId, cpr, title, file }) => {
    if (!/^\d{6}-?\d{4}$/.test(cpr))
      return { outcome: "refused", detail: "CPR-nummeret er ikke gyldigt", code: NO_SUCH_RECEIVER };
    if ([...title].length > MAX_TITLE)
      return { outcome: "refused", detail: `Titlen er længere end ${MAX_TITLE} tegn`, code: TOO_LONG };
    return { letterId, to: { eboks: { cpr, title } }, file };
  });

export const createNetsSharePrint = (settings: NetsShareSettings): PrintGateway =>
  createNetsShareGateway("Breve: Nets Share", settings, ({ letterId, address, file }) =>
    address.filter((line) => line.trim() !== "").length < 2
      ? { outcome: "refused", detail: "Adressen mangler", code: NO_SUCH_RECEIVER }
      : { letterId, to: { print: { address } }, file },
  );
