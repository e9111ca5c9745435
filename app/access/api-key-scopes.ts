/** What a key may be for. Users, clinics, settings, keys, exports and logs belong to none of them, and none writes to patients. */
export const keyScopes = ["read", "refer", "messages", "appointments", "statistics"] as const;

export type KeyScope = (typeof keyScopes)[number];

/** Those by which something is written in a person's name. */
export const writingScopes: readonly KeyScope[] = ["refer", "messages"];

/** Those of what is one for the whole house: a key of a single clinic cannot have them. */
export const scopesOfAllClinics: readonly KeyScope[] = ["appointments", "statistics"];

/** What a key is allowed. */
export interface KeyGrant {
  id: number;
  name: string;
  scopes: readonly KeyScope[];
  /** Null: all clinics. */
  clinicId: number | null;
}

/** As the database holds them: one that the portal does not know any more allows nothing. */
export const scopesIn = (stored: string): KeyScope[] =>
  keyScopes.filter((scope) => stored.split(",").some((each) => each === scope));
