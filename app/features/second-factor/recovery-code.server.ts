import { randomInt, timingSafeEqual } from "node:crypto";
import { hashSlowly, newSalt } from "~/access/slow-hash.server";

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

/** A set of codes as it is stored. They have one salt, so that a code that is typed is hashed once and compared with all of them. */
export async function hashRecoveryCodes(codes: string[]): Promise<string[]> {
  const salt = newSalt();
  const hashes = [];
  // One after another: a set takes one place in the queue of passwords.
  for (const code of codes) hashes.push(await hashSlowly(code, salt));
  return hashes;
}

/** Whether a code is stored as a former release did it, which encrypted the code itself. */
export const isPlainCode = (stored: string): boolean => !stored.startsWith("$");

const saltOf = (stored: string) => Buffer.from(stored.split("$").at(-2)!, "base64");

/** The stored code that was typed. Throws `tooBusy`. */
export async function findRecoveryCode<Stored extends { stored: string }>(
  codes: Stored[],
  typed: string,
): Promise<Stored | undefined> {
  const hashes = new Map<string, string>();
  let found: Stored | undefined;
  for (const code of codes) {
    const salt = isPlainCode(code.stored) ? null : saltOf(code.stored);
    const key = salt?.toString("hex") ?? "";
    const hash = hashes.get(key) ?? (salt ? await hashSlowly(typed, salt) : typed);
    hashes.set(key, hash);
    if (isSameText(code.stored, hash)) found = code;
  }
  return found;
}

/** Takes as long whatever is different. */
const isSameText = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
