import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { cleanNumber } from "./normalise";

/**
 * Parses a phone number to E.164, e.g. `+4512345678`; null if invalid. Danish numbers have exactly eight digits,
 * optionally after `+45`, `0045` or `45`. Numbers beginning with 1 are accepted for invented patients
 * (docs/decisions/0116). Mobile and fixed numbers cannot be told apart.
 */
export function toE164(typed: string): string | null {
  const text = cleanNumber(typed).replace(/\(0\)/, "");
  if (!/^[(+]*\d[\d ().-]*$/.test(text)) return null;
  const digits = text.replace(/\D/g, "");
  const number = text.includes("+") ? digits : digits.startsWith("00") ? digits.slice(2) : withCountry(digits);
  const parsed = number === null ? undefined : parsePhoneNumberFromString(`+${number}`);
  return parsed?.isPossible() && !parsed.number.startsWith("+450") ? parsed.number : null;
}

function withCountry(digits: string): string | null {
  if (digits.length === 8) return `45${digits}`;
  return digits.length === 10 && digits.startsWith("45") ? digits : null;
}
