import { Secret, TOTP } from "otpauth";

const PERIOD_SECONDS = 30;
/** How many steps before and after the present one are taken: a telephone's clock may be a little wrong. */
const WINDOW = 1;
/** What every code app takes, whatever else it offers. */
const RULE = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS } as const;

/** 160 random bits in base 32, as RFC 4226 asks for. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** What the QR code says: whose code it is, and for what. */
export const totpAddress = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  new TOTP({ ...RULE, issuer, label: account, secret }).toString();

/**
 * The step, counted in 30 seconds from 1970, whose code was typed (RFC 6238); null for a code that is none of now, the step before or the one
 * after. Whoever takes it remembers the step: a code is good once.
 */
export function stepOfCode(secret: string, typed: string, now: Date): number | null {
  const token = typed.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...RULE, token, secret: Secret.fromBase32(secret), timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}
