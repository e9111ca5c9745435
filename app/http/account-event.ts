/** The shell's poll tells the open page what the account call answered. */
export const ACCOUNT_EVENT = "portal:account";

export interface AccountNews {
  /** The open referral that was asked for. */
  visitId?: number;
  /** When a message was last written or edited at it, UTC. */
  newestMessageAt?: string | null;
}
