import { Secret, TOTP } from "otpauth";

const PERIOD_SECONDS = 30;
/** Steps accepted before and after the present one, for inaccurate phone clocks. */
const WINDOW = 1;
/** Parameters that every authenticator app supports. */
const RULE = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS } as const;

/** 160 random bits in Base32 (RFC 4226). */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The `otpauth:` address for the QR code. */
export const totpAddress = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  new TOTP({ ...RULE, issuer, label: account, secret }).toString();

/**
 * The time step (30 s since 1970) of a code (RFC 6238); null outside the window. The caller must consume the step,
 * since a code is valid once.
 */
export function stepOfCode(secret: string, typed: string, now: Date): number | null {
  const token = typed.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...RULE, token, secret: Secret.fromBase32(secret), timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}
