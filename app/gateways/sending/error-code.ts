import type { SendingReason } from "./port";

const NO_CONNECTION = /ECONN|ESOCKET|EDNS|ENOTFOUND|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|CONNECT_TIMEOUT/;

/** What the code of a network error means, whichever library names it; undefined where it says nothing of the connection. */
export function reasonOfErrorCode(code: string): SendingReason | undefined {
  if (code === "EAUTH") return "loginRefused";
  return NO_CONNECTION.test(code) ? "noConnection" : undefined;
}
