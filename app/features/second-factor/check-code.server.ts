import { randomInt, timingSafeEqual } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { create } from "qrcode";
import { hashSlowly, newSalt } from "~/access/slow-hash.server";
import type { DbOrTx, Tx } from "~db/connection.server";
import type { Role } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { secondFactorRule } from "~/access/sessions.server";
import { clearThrottle, throttle } from "~/access/throttle.server";
import type { Portal } from "~/portal.server";
import {
  consumeTotpStep,
  countUnusedCodes,
  type Factor,
  findFactor,
  findUnusedCodes,
  hasFactor,
  useCode,
  writeCodeHash,
} from "./second-factor-store.server";

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const LENGTH = 8;

const RECOVERY_CODES = 10;

const newCode = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(newCode());
  return [...codes];
}

export const showRecoveryCode = (code: string) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

function readRecoveryCode(typed: string): string | null {
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
const isPlainCode = (stored: string): boolean => !stored.startsWith("$");

const saltOf = (stored: string) => Buffer.from(stored.split("$").at(-2)!, "base64");

/** The stored code that was typed. Throws `tooBusy`. */
async function findRecoveryCode<Stored extends { stored: string }>(
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

/** Compares in constant time. */
const isSameText = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** A valid code: a TOTP step or a recovery code; consumed in the transaction it authorises. */
export type Proof = { factorId: number; userId: number } & ({ step: number } | { recoveryCodeId: number });

export const asksForCode = async (
  { db, config }: Pick<Portal, "db" | "config">,
  { id, roles }: { id: number; roles: readonly Role[] },
): Promise<boolean> => secondFactorRule(config.secondFactor, roles) !== "off" && (await hasFactor(db, id));

/** Validates a typed code; attempts are counted. Throws `wrongCode` and `tooManyAttempts`. */
export async function readProof(portal: Portal, userId: number, typed: string, now: Date): Promise<Proof> {
  await throttle(portal, "secondFactor", String(userId));
  const factor = await findFactor(portal.db, portal.secrets, userId, "active");
  const proof = factor && (await proofOf(portal, factor, typed, now));
  if (proof === null)
    throw wrongCode(
      readRecoveryCode(typed) === null
        ? "Koden er ikke rigtig. Skriv den, der står i appen nu."
        : "Gendannelseskoden er forkert eller brugt.",
    );
  await hashPlainCodes(portal, proof.factorId);
  return { ...proof, userId };
}

async function proofOf({ db, secrets }: Portal, { id, secret }: Factor, typed: string, now: Date) {
  const step = stepOfCode(secret, typed, now);
  if (step !== null) return { factorId: id, step };
  const code = readRecoveryCode(typed);
  const found = code === null ? undefined : await findRecoveryCode(await findUnusedCodes(db, secrets, id), code);
  return found === undefined ? null : { factorId: id, recoveryCodeId: found.id };
}

/** Hashes the codes that a former release encrypted, when their owner comes. */
async function hashPlainCodes({ db, secrets }: Portal, factorId: number): Promise<void> {
  const plain = (await findUnusedCodes(db, secrets, factorId)).filter(({ stored }) => isPlainCode(stored));
  const hashes = await hashRecoveryCodes(plain.map(({ stored }) => stored));
  for (const [place, { id }] of plain.entries()) await writeCodeHash(db, secrets, { id, hash: hashes[place]! });
}

/**
 * Consumes a code, once even for concurrent requests, and only then clears the failed attempts: a used code must not
 * reset them. Throws `wrongCode`.
 */
export async function consumeProof(
  tx: Tx,
  { secrets }: Pick<Portal, "secrets">,
  proof: Proof,
  now: Date,
): Promise<void> {
  const isTaken =
    "step" in proof
      ? await consumeTotpStep(tx, proof.factorId, proof.step)
      : await useCode(tx, proof.recoveryCodeId, now);
  if (!isTaken) throw wrongCode("Koden er brugt. Vent på den næste i appen.");
  await clearThrottle({ db: tx, secrets }, "secondFactor", String(proof.userId));
}

export async function recoveryNotice(db: DbOrTx, proof: Proof): Promise<string | null> {
  if ("step" in proof) return null;
  const left = await countUnusedCodes(db, proof.factorId);
  return `Du brugte en gendannelseskode. Der er ${left === 1 ? "1 kode" : `${left} koder`} tilbage. Lav nye under Din profil.`;
}

export const wrongCode = (text: string) => new Refusal("wrongCode", { fields: { code: [text] } });

const PERIOD_SECONDS = 30;
/** Parameters that every authenticator app supports. */
const RULE = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS } as const;

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

export const totpAddress = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  new TOTP({ ...RULE, issuer, label: account, secret }).toString();

/**
 * The 30-second step since 1970 whose code was typed (RFC 6238), if it is the present or the previous one; otherwise
 * null. The caller stores the accepted step, because each code is valid once.
 */
export function stepOfCode(secret: string, typed: string, now: Date): number | null {
  const token = typed.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const present = TOTP.counter({ period: PERIOD_SECONDS, timestamp: now.getTime() });
  const isOf = (step: number) =>
    TOTP.validate({
      ...RULE,
      token,
      secret: Secret.fromBase32(secret),
      timestamp: step * PERIOD_SECONDS * 1000,
      window: 0,
    }) !== null;
  return [present, present - 1].find(isOf) ?? null;
}

export function qrCode(text: string) {
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules;
  let path = "";
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const from = x;
      while (x < size && data[y * size + x]) x += 1;
      if (x > from) path += `M${from} ${y}h${x - from}v1h-${x - from}z`;
    }
  }
  return { size, path };
}
