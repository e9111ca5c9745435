/**
 * Country codes (E.164) whose numbers the public gets a receipt at: Denmark, the Faroe Islands, Greenland, Sweden, Norway and Germany. Anybody may type any number, and
 * an SMS to some countries pays whoever owns the number.
 */
const CODES = ["+45", "+298", "+299", "+46", "+47", "+49"];

/** Whether the public gets a receipt at a number in E.164. */
export const takesReceipt = (number: string) => CODES.some((code) => number.startsWith(code));

export const RECEIPT_HINT =
  "Du får en SMS som kvittering, hvis mobilnummeret er dansk, færøsk, grønlandsk, svensk, norsk eller tysk.";

/** Beside the confirmation of a booking with a number of another country. */
export const NO_RECEIPT = "Der sendes ingen SMS som kvittering til mobilnumre fra andre lande.";
