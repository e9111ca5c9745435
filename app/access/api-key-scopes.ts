/** The scopes of API keys. None of them covers users, clinics, settings, keys, exports or logs, and none can write to patients. */
export const keyScopes = ["read", "refer", "messages", "appointments", "statistics"] as const;

export type KeyScope = (typeof keyScopes)[number];

/** The scopes that write in a person's name. */
export const writingScopes: readonly KeyScope[] = ["refer", "messages"];

/** The scopes of data that is not divided by clinic: a key of a single clinic cannot have them. */
export const scopesOfAllClinics: readonly KeyScope[] = ["appointments", "statistics"];

/** What a key is allowed. */
export interface KeyGrant {
  id: number;
  name: string;
  scopes: readonly KeyScope[];
  /** Null: all clinics. */
  clinicId: number | null;
}

/** As stored; a scope that no longer exists grants nothing. */
export const scopesIn = (stored: string): KeyScope[] =>
  keyScopes.filter((scope) => stored.split(",").some((each) => each === scope));
