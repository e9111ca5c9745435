import { TOTP } from "otpauth";

/**
 * Code of an authenticator app for a base-32 key at a moment. That these are the codes of other programs is proven by
 * app/features/second-factor/totp.test.ts.
 */
export const oneTimeCode = (secret: string, moment: Date): string =>
  new TOTP({ secret }).generate({ timestamp: moment.getTime() });
