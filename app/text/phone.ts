/**
 * A phone number as providers take it: E.164, such as `+4512345678`. Eight digits alone are Danish. Null for what is no number; whether
 * it is a mobile phone's cannot be told from a Danish number.
 */
export function toE164(typed: string): string | null {
  const text = typed.trim().replace(/^00/, "+");
  if (!/^\+?[\d\u00a0 ().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, "");
  if (text.startsWith("+")) return /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : null;
  return digits.length === 8 && digits[0] !== "0" ? `+45${digits}` : null;
}
