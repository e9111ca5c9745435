// @module-tag matrix
// @module-tag oathtool
import { expect, test } from "vitest";
import { oathtoolCode } from "../../../tests/support/oathtool.mjs";
import { newTotpSecret, stepOfCode, totpAddress } from "./check-code.server";

test("generates the codes of oathtool; takes the present step's and the one's before", () => {
  for (const moment of [
    "2026-11-23T09:00:00Z",
    "2026-11-23T09:00:29Z",
    "2033-05-18T03:33:20Z",
    "1970-01-02T00:00:59Z",
  ]) {
    const [secret, at] = [newTotpSecret(), new Date(moment)];
    const step = Math.floor(at.getTime() / 30_000);
    const codeAt = (steps: number) => oathtoolCode(secret, new Date(at.getTime() + steps * 30_000));
    expect(stepOfCode(secret, codeAt(0), at)).toBe(step);
    expect(stepOfCode(secret, codeAt(0).replace(/(...)/, "$1 "), at)).toBe(step);
    expect(stepOfCode(secret, codeAt(-1), at)).toBe(step - 1);
    for (const other of [-2, 1, 2]) expect(stepOfCode(secret, codeAt(other), at)).toBeNull();
    for (const wrong of ["", "12345", "1234567", "abcdef"]) expect(stepOfCode(secret, wrong, at)).toBeNull();
  }
  expect(totpAddress("JBSWY3DPEHPK3PXP", { issuer: "Henvisningsportalen", account: "aase" })).toBe(
    "otpauth://totp/Henvisningsportalen:aase?issuer=Henvisningsportalen&secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
  );
});
