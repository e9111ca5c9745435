import type { Role } from "~/access/actor";

export interface IdentityProviderSettings {
  issuer: string;
  clientId: string;
  proof: { secret: string } | { privateKey: string };
  label: string;
  scope: string;
  /** Claims that name the user; the values of several are joined by '+'. */
  nameClaims: string[];
  /** Requested ways of signing in, of which the provider must confirm one. */
  acrValues: string[];
  /** Role of each group; null when roles are given in the portal. */
  rolesByGroup: Map<string, Role> | null;
}

/** Values of one sign-in that must match when the person returns from the provider; kept sealed in a cookie. */
export interface SignInRound {
  state: string;
  nonce: string;
  verifier: string;
}

export interface ExternalIdentity {
  issuer: string;
  subject: string;
  /** Value of the claims that name the user; null where the provider does not give it, or has not verified it. */
  name: string | null;
  isEmail: boolean;
  hasSecondFactor: boolean;
  groups: string[];
  person: { firstName: string | null; lastName: string | null; email: string | null };
}

/**
 * `unavailable`: the provider cannot be reached or answers with an error. `cancelled`: the person or the provider said
 * no. `expired`: the answer belongs to no sign-in that is under way here. `untrusted`: the answer is not the
 * provider's, or not for this portal. `tooWeak`: the way of signing in that is asked for was not used.
 */
export type SignInFault = "unavailable" | "cancelled" | "expired" | "untrusted" | "tooWeak";

export class SignInFailure extends Error {
  constructor(
    readonly fault: SignInFault,
    /** For the log; no tokens and no names. */
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(`${fault}: ${detail}`, options);
  }
}

/** Sign-in by OpenID Connect: code flow with PKCE, state and nonce. Tokens are not kept. */
export interface IdentityProvider {
  label: string;
  /** The provider's page, and what must come back. Throws `SignInFailure`. */
  begin(returnAddress: string): Promise<{ address: string; round: SignInRound }>;
  /**
   * Returns the person who came back. @param answer the whole address, with the provider's parameters. Throws
   * `SignInFailure`.
   */
  finish(answer: URL, round: SignInRound): Promise<ExternalIdentity>;
  /** Where the person ends the provider's own session; null where it has no such page. */
  signOutAddress(returnAddress: string): Promise<string | null>;
}
