import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** Sign-in by an account of the hospital or of MitID: which account there is which user, and how a session began. */
export const changes = {
  columns: {
    user: {
      /** Name of the account at the identity provider, in lower case; filled in by an administrator. */
      external_identity: "varchar(255)",
      /**
       * Issuer of that account, set with `external_subject` at the first sign-in there; from then on only these two count.
       */
      external_issuer: "varchar(255)",
      external_subject: "varchar(255)",
    },
    session: {
      /** `staff` or `referrers`: the identity provider that was used; null after a sign-in by password. */
      identity_provider: "varchar(12)",
      /** Whether that provider asked for a second factor. */
      has_second_factor: "flag not null default 0",
    },
  },
  unique: {
    user: {
      user_external_identity: ["external_identity"],
      user_external_subject: ["external_subject", "external_issuer"],
    },
  },
} as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);
