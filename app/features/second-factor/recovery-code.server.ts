import { randomInt, timingSafeEqual } from "node:crypto";

/** Without look-alikes such as 0, 1, i, l and o. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const LENGTH = 8;

/** How many codes a person gets. */
export const RECOVERY_CODES = 10;

const newCode = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

/** Ten different codes such as `k7fm2q9t`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(newCode());
  return [...codes];
}

/** Display form: `k7fm-2q9t`. */
export const showRecoveryCode = (code: string) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** Normalises a typed code; null if it cannot be one. */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s–-]/g, "");
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}

/** Compares in constant time. */
export const isSameCode = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
