import { cleanNumber } from "~/text/normalise";

export const normalPlate = (typed: string) => cleanNumber(typed).toUpperCase().replace(/[\s-]/g, "");

export const MIN_PLATE = 4;

export const UNKNOWN_PLATE = "Nummerpladen kan ikke findes";

export const UNKNOWN_PLATE_PUBLIC = `${UNKNOWN_PLATE}, tjek venligst igen. Hvis du mener det er korrekt, har du muligheden for at booke alligevel`;

export const CONFIRMED_MS = 15_000;

export const confirmedText = (plate: string, canSend: boolean) =>
  `PARKERING ${plate && `FOR: ${plate} `}ER BEKRÆFTET${canSend ? " - TJEK SMS" : ""}`;

/**
 * Country codes (E.164) to which the public gets a receipt: Denmark, the Faroe Islands, Greenland, Sweden, Norway and
 * Germany. Anybody may type any number, and SMS to some countries pay the number's owner.
 */
const CODES = ["+45", "+298", "+299", "+46", "+47", "+49"];

export const takesReceipt = (number: string) => CODES.some((code) => number.startsWith(code));

export const RECEIPT_HINT =
  "Du får en SMS som kvittering, hvis mobilnummeret er dansk, færøsk, grønlandsk, svensk, norsk eller tysk.";

export const NO_RECEIPT = "Der sendes ingen SMS som kvittering til mobilnumre fra andre lande.";
