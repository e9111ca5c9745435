/** The scopes of API keys. None of them covers users, clinics, settings, keys, exports or logs, and none can write to patients. */
export const keyScopes = ["read", "refer", "messages", "appointments", "statistics"] as const;

export type KeyScope = (typeof keyScopes)[number];

export const writingScopes: readonly KeyScope[] = ["refer", "messages"];

/** Scopes of data that cannot be split by clinic, so a key of a single clinic cannot have them. */
export const scopesOfAllClinics: readonly KeyScope[] = ["appointments", "statistics"];

export interface KeyGrant {
  id: number;
  name: string;
  scopes: readonly KeyScope[];
  clinicId: number | null;
}

export const scopesIn = (stored: string): KeyScope[] =>
  keyScopes.filter((scope) => stored.split(",").some((each) => each === scope));
