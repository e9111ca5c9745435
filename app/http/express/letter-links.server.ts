import type { RequestHandler } from "express";
import { serverPaths } from "~/paths";

/**
 * `vid`, `num` and `trmPdf` or `trmZip` on any page redirect to the referral, which starts the download; sign-in first
 * if needed. `mid` is kept for the audit.
 */
export const letterLinks: RequestHandler = ({ method, query }, response, next) => {
  const number = (name: string) =>
    typeof query[name] === "string" && /^\d{1,9}$/.test(query[name]) ? Number(query[name]) : null;
  const [referralId, letterNumber] = [number("vid"), number("num")];
  const isZip = query.trmZip !== undefined;
  if (method !== "GET" || referralId === null || letterNumber === null || (!isZip && query.trmPdf === undefined))
    return next();
  response.setHeader("Cache-Control", "no-store");
  return response.redirect(302, serverPaths.letterPage(referralId, letterNumber, isZip ? "zip" : "pdf", number("mid")));
};
