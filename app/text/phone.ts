import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { cleanNumber } from "./normalise";

/**
 * A phone number as providers take it: E.164, such as `+4512345678`. Eight digits alone are Danish, and a Danish number has exactly eight,
 * with or without `+45`, `0045` or `45` before them. Null for what is no number. A Danish number may begin with 1, although nobody has
 * one: the invented patients do (docs/decisions/0116). Whether a number is a mobile phone's cannot be told from a Danish number.
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
