import { Secret, TOTP } from "otpauth";
import { create } from "qrcode";

const PERIOD_SECONDS = 30;
/** What every code app takes, whatever else it offers. */
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

interface QrCode {
  size: number;
  path: string;
}

export function qrCode(text: string): QrCode {
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
