/** Why a provider did not take a message, or could not deliver it, where its answer tells; the answer itself stands beside it. */
export type SendingReason =
  | "noConnection"
  | "loginRefused"
  | "notConfigured"
  | "fileMissing"
  | "unreachable"
  | "expired"
  | "rejected"
  | "noMailbox"
  | "mailboxFull"
  | "returned"
  | "archiveKnowsNoPortal"
  | "archiveFull"
  | "archiveRefusesFile"
  | "archiveSilent";

const NO_CONNECTION = /ECONN|ESOCKET|EDNS|ENOTFOUND|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|CONNECT_TIMEOUT/;

/** What the code of a network error means, whichever library names it; undefined where it says nothing of the connection. */
export function reasonOfErrorCode(code: string): SendingReason | undefined {
  if (code === "EAUTH") return "loginRefused";
  return NO_CONNECTION.test(code) ? "noConnection" : undefined;
}
