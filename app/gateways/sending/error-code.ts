import type { SendingReason } from "./port";

const NO_CONNECTION = /ECONN|ESOCKET|EDNS|ENOTFOUND|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|CONNECT_TIMEOUT/;

/** Reason for a network error code; undefined if it does not concern the connection. */
export function reasonOfErrorCode(code: string): SendingReason | undefined {
  if (code === "EAUTH") return "loginRefused";
  return NO_CONNECTION.test(code) ? "noConnection" : undefined;
}
